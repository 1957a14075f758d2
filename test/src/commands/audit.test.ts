import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";

test("exit 0 if everything adds up; exit 1 with a sentence for each error", async () => {
  const path = join(scratchFolder(), "test.db");
  const env = { DATABASE_URL: `file:${path}` };
  await accountIn(env, "--email", "ann@example.com", "--paid", "--credits", "77");
  const good = await beckon(env, "audit", "--json");
  expect(good).toMatchObject({ code: 0, err: "" });
  expect(good.json).toEqual({
    ok: true,
    accounts: 1,
    entries: 1,
    orders: 1,
    projects: 0,
    links: 0,
    steps: 0,
    direct_payments: 0,
    credits_sold: 77,
    test_credits_sold: 77,
    credits_taken_back: 0,
    problems: [],
  });
  expect((await beckon(env, "audit")).out).toMatch(
    /^Everything adds up: 1 accounts, .*77 credits sold, 77 of them for test payments, 0 taken back/,
  );

  const db = new Database(path);
  db.exec("UPDATE orders SET credits = 78; UPDATE accounts SET credits = 1");
  db.close();
  const bad = await beckon(env, "audit", "--json");
  expect(bad).toMatchObject({ code: 1, json: { ok: false, problems: { length: 2 } } });
  const { code, out } = await beckon(env, "audit");
  expect([code, out.trim().split("\n").length]).toEqual([1, 3]);
  expect(out).toMatch(/^Problems found: .*\n {2}account acc_\w+: balance is 1, should be 77\n {2}order ord_/);
});
