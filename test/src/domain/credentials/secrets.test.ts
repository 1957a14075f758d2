import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  hashOf,
  isSecret,
  newSecret,
  PREFIXES,
  type SecretKind,
  timingSafeEquals,
} from "../../../../src/domain/credentials/secrets.ts";

const kinds = Object.keys(PREFIXES) as SecretKind[];

test.each(kinds)("%s: 256 random bits after its own prefix, stored as SHA-256", (kind) => {
  const { secret, hash } = newSecret(kind);
  expect(secret.slice(PREFIXES[kind].length)).toMatch(/^[\w-]{43}$/);
  expect(hash).toBe(createHash("sha256").update(secret).digest("hex"));
  expect(newSecret(kind).secret).not.toBe(secret);
  expect(kinds.filter((one) => isSecret(one, secret))).toEqual([kind]);
});

test.each([
  "",
  "beckon_at_",
  `beckon_at_${"A".repeat(42)}`,
  `beckon_at_${"A".repeat(44)}`,
  `beckon_at_${"A".repeat(42)}=`,
  `beckon_at_${"A".repeat(42)}\n`,
  `BECKON_AT_${"A".repeat(43)}`,
  ` beckon_at_${"A".repeat(42)}`,
])("%j is not a well-formed access token", (text) => {
  expect(isSecret("access", text)).toBe(false);
});

test("texts are compared as a whole, in bytes", () => {
  expect(timingSafeEquals(hashOf("a"), hashOf("a"))).toBe(true);
  for (const [a, b] of [
    ["abc", "abd"],
    ["abc", "abcd"],
    ["", "a"],
    ["é", "e\u0301"],
  ] as const)
    expect(timingSafeEquals(a, b)).toBe(false);
});
