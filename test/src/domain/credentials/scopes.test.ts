import fc from "fast-check";
import { expect, test } from "vitest";
import { scopesIn, scopeText } from "../../../../src/domain/credentials/scopes.ts";
import { SCOPES } from "../../../../src/platform/principal.ts";

test.each([
  ["read", ["read"]],
  ["purchase read", ["read", "purchase"]],
  ["read read", ["read"]],
  ["openid offline_access read", ["read"]],
  ["READ", []],
  ["read,index", []],
  ["  read   index ", ["read", "index"]],
  ["__proto__ constructor", []],
  ["", []],
])("%j names %j", (text, scopes) => {
  expect(scopesIn(text)).toEqual(scopes);
});

test("scopes are written in a fixed order, and read back", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...SCOPES]), (scopes) => {
      expect(scopesIn(scopeText(scopes))).toEqual(SCOPES.filter((scope) => scopes.includes(scope)));
    }),
  );
});
