import { expect, test } from "vitest";
import { AccountVersions } from "../../../db/sqlite/account-versions.ts";

test("an account has the number of the latest commit that affected it, or may have", () => {
  const versions = new AccountVersions();
  expect([versions.latest, versions.of("a")]).toEqual([0, 0]);
  versions.count(new Set(["a"]));
  versions.count(new Set(["b", "c"]));
  expect(["a", "b", "c", "d"].map((account) => versions.of(account))).toEqual([1, 2, 2, 0]);
  versions.count(null);
  versions.count(new Set(["b"]));
  expect(["a", "b", "c", "d"].map((account) => versions.of(account))).toEqual([3, 4, 3, 3]);
  expect(versions.latest).toBe(4);
});

test("where more accounts were affected than are remembered, all count as affected", () => {
  const versions = new AccountVersions();
  for (let n = 1; n <= 100_001; n++) versions.count(new Set([`account ${n}`]));
  expect(["account 1", "account 100001", "another"].map((account) => versions.of(account))).toEqual([
    100_001, 100_001, 100_001,
  ]);
});
