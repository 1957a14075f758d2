import fc from "fast-check";
import { expect, test } from "vitest";
import { accountByEmail, createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { normaliseEmail } from "../../../../src/domain/people/email.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { testStore } from "../../../support/database/store.ts";

test.each([
  ["ann@example.com", "ann@example.com"],
  ["  Ann@EXAMPLE.com\n", "ann@example.com"],
  ["ann.lee+beckon@example.com", "ann.lee+beckon@example.com"],
  ["ann@bücher.example", "ann@xn--bcher-kva.example"],
  ["ann@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"],
  ["ann@localhost", "ann@localhost"],
  ["o'neil!#$%&*/=?^_`{|}~-@example.com", "o'neil!#$%&*/=?^_`{|}~-@example.com"],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
])("%j is normalised to %j", (text, email) => {
  expect(normaliseEmail(text)).toBe(email);
});

test.each([
  "",
  "ann",
  "@example.com",
  "ann@",
  "ann@@example.com",
  "ann@example.com@example.org",
  ".ann@example.com",
  "ann.@example.com",
  "an..n@example.com",
  "an n@example.com",
  '"ann lee"@example.com',
  "änn@example.com",
  "ann@example..com",
  "ann@-example.com",
  "ann@example.com.",
  "ann@[127.0.0.1]",
  "ann@127.0.0.1",
  "ann@2130706433",
  "ann@0x7f.1",
  "ann@ex%61mple.com",
  "ann@exam ple.com",
  "ann@exam\tple.com",
  "ann@example.com:25",
  "ann@example.com/",
  "ann@example.com?to=bob",
  "ann@example.com,bob@example.com",
  "Ann <ann@example.com>",
  "ann@example.com\r\nBcc: bob@example.com",
  "ann\r\n@example.com",
  `${"a".repeat(65)}@example.com`,
  `ann@${"a".repeat(64)}.com`,
  `ann@${"a.".repeat(100)}com`,
])("%j is refused", (text) => {
  expect(normaliseEmail(text)).toBeNull();
});

test("law: a normalised address stays as it is, and is printable ASCII with one @", () => {
  const texts = fc.oneof(
    fc.emailAddress(),
    fc.string({ unit: "grapheme" }).map((text) => `ann@${text}`),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const email = normaliseEmail(text);
      if (email === null) return;
      expect(email).toMatch(/^[\x21-\x3f\x41-\x7e]+@[a-z0-9.-]+$/);
      expect(email.length).toBeLessThanOrEqual(255);
      expect(normaliseEmail(email)).toBe(email);
    }),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

test("every spelling of an address finds the same account", async () => {
  const store = await testStore();
  const make = (email: string) => store.db.tx((tx) => createAccount(tx, { email, now: 1 }));
  const { id, email, name } = await make(" Ann@Bücher.example");
  expect({ email, name }).toEqual({ email: "ann@xn--bcher-kva.example", name: "ann" });
  expect((await accountByEmail(store.db, "ann@BÜCHER.example "))?.id).toBe(id);
  expect(await accountByEmail(store.db, "ann")).toBeNull();
  await expect(make("ANN@xn--bcher-kva.example")).rejects.toThrow("already");
  await expect(make("ann@example.com\r\nBcc: bob@example.com")).rejects.toThrow("not an e-mail address");
  await store.close();
});
