import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { type EntryKind, post } from "../../../../src/domain/ledger/ledger.ts";
import type { Refusal } from "../../../../src/platform/errors/errors.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../../../support/database/database.ts";
import { isUniqueViolation, rawQuery } from "../../../support/database/raw-query.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let account: string;
beforeEach(async () => {
  account = await store.account(10);
});

let sources = 0;
const book = (kind: EntryKind, credits: number, source = `source ${++sources}`) =>
  store.db.tx((tx) =>
    post(tx, { accountId: account, kind, credits, source, description: "x", now: store.clock.now() }),
  );

const books = async () => [await store.balance(account), await store.ledger(account)];

test("402 insufficient_credits: a spend over the balance changes nothing; the whole balance is fine", async () => {
  const before = await books();
  const refusal = (await book("spend", -11).catch((thrown) => thrown)) as Refusal;
  expect([refusal.code, refusal.fields]).toEqual(["insufficient_credits", { needed: 11, balance: 10 }]);
  expect(await books()).toEqual(before);
  expect(await book("spend", -10)).toBe(0);
  await expect(book("spend", -1)).rejects.toThrow(/Needs 1 credit, the balance is 0/);
});

test("an adjustment may take the balance below zero; a spend is then refused, a return is not", async () => {
  expect(await book("adjustment", -25)).toBe(-15);
  await expect(book("spend", -1)).rejects.toMatchObject({ fields: { needed: 1, balance: -15 } });
  expect(await book("return", 4)).toBe(-11);
  expect(await store.problems()).toEqual([]);
});

test("the same cause is never booked twice; another kind of the same cause is", async () => {
  await book("spend", -2, "project");
  const before = await books();
  await expect(book("spend", -2, "project")).rejects.toSatisfy(isUniqueViolation);
  expect(await books()).toEqual(before);
  expect(await book("return", 2, "project")).toBe(10);
});

test("an account that does not exist cannot be booked on", async () => {
  const posting = { kind: "spend", credits: -1, source: "x", description: "x", now: 0 } as const;
  await expect(store.db.tx((tx) => post(tx, { accountId: "acc_none", ...posting }))).rejects.toThrow(/gone/);
});

test("law: the balance is the sum of the ledger, and every entry says the balance after it", async () => {
  const kinds = fc.constantFrom<EntryKind>("purchase", "spend", "return", "adjustment");
  // A refund takes credits back, the end of a dispute restores them.
  const signs: Record<EntryKind, readonly number[]> = { purchase: [1], spend: [-1], return: [1], adjustment: [1, -1] };
  const entry = fc.tuple(kinds, fc.integer({ min: 1, max: 30 }), fc.nat(1));
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 20 }), async (list) => {
      // Asked at once, so that they are committed in groups.
      await Promise.all(list.map(([kind, credits, way]) => book(kind, credits * signs[kind].at(-way)!).catch(() => 0)));
      const rows = await store.db.q.select().from(store.db.t.ledger);
      let balance = 0;
      rows
        .sort((a, b) => a.no - b.no)
        .forEach((row, index) => {
          balance += row.credits;
          expect([row.no, row.balanceAfter]).toEqual([index + 1, balance]);
        });
      expect(await store.balance(account)).toBe(balance);
    }),
    { numRuns: fuzzRuns(isOnPostgres ? 10 : 30), seed: 1 },
  );
  expect(await store.problems()).toEqual([]);
});

const AGAIN =
  "INSERT INTO ledger (account_id, no, at, kind, credits, balance_after, source, description) SELECT account_id, no, at, kind, 99, 99, source, description FROM ledger";

test.each([
  ["change an entry", "UPDATE ledger SET credits = credits + 1", /append-only/],
  ["give an entry to another order", "UPDATE ledger SET order_id = 'ord_other'", /append-only/],
  ["take a purchase back by its entry", "DELETE FROM ledger WHERE kind = 'purchase'", /append-only/],
  ["change a description", "UPDATE ledger SET description = 'nothing'", /append-only/],
  ["delete an entry", "DELETE FROM ledger", /append-only/],
  [
    "replace an entry",
    isOnPostgres
      ? `${AGAIN} ON CONFLICT (account_id, no) DO UPDATE SET credits = 99`
      : AGAIN.replace("INSERT", "$& OR REPLACE"),
    /breaks the chain/,
  ],
  ["skip a number", insert("no + 2", "5", "balance_after + 5"), /breaks the chain/],
  ["say another balance", insert("no + 1", "5", "balance_after + 6"), /breaks the chain/],
  ["book without moving the balance", insert("no + 1", "5", "balance_after + 5"), /breaks the chain/],
  [
    "book on an account that is not there",
    insert("1", "5", "5").replace("SELECT account_id,", "SELECT 'acc_none',"),
    /breaks the chain/,
  ],
])("the database itself refuses to %s", async (_, statement, reason) => {
  const before = await books();
  await expect(rawQuery(store.url, statement)).rejects.toThrow(reason);
  expect(await books()).toEqual(before);
});

function insert(no: string, credits: string, balance: string): string {
  return `INSERT INTO ledger (account_id, no, at, kind, credits, balance_after, source, description) SELECT account_id, ${no}, at, 'adjustment', ${credits}, ${balance}, 'forged', 'x' FROM ledger`;
}
