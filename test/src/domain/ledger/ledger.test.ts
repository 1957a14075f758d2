import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { type EntryKind, entriesOf, post } from "../../../../src/domain/ledger/ledger.ts";
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
  expect(refusal.message).toMatch(/^Needs 11 credits, the balance is 10\./);
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

test.each([
  ["from exactly the threshold", 10, -1, true],
  ["from above it", 20, -15, true],
  ["to exactly the threshold", 15, -5, false],
  ["to where it is empty", 10, -10, true],
  ["when it was below before", 9, -1, false],
  ["when it rises, and stays below", 5, 3, false],
  ["when it rises from the threshold", 10, 3, false],
] as const)(
  "credits.low is told of a balance that falls below the threshold: %s",
  async (_, before, credits, isTold) => {
    const { accounts, events } = store.db.t;
    const id = await store.account(before);
    await store.db.tx((tx) => tx.q.update(accounts).set({ lowCredits: 10 }).where(eq(accounts.id, id)));
    const entry = { kind: credits < 0 ? "spend" : "return", credits, source: "x", description: "x", now: 7 } as const;
    await store.db.tx((tx) => post(tx, { accountId: id, ...entry }));
    const told = await store.db.q.select().from(events).where(eq(events.type, "credits.low"));
    const balance = before + credits;
    expect(told.map(({ type, data }) => [type, JSON.parse(data)])).toEqual(
      isTold ? [["credits.low", { balance, threshold: 10 }]] : [],
    );
  },
);

test("what a deleted account would get is booked, and booked to zero; what it owes stays", async () => {
  const { accounts } = store.db.t;
  await store.db.tx((tx) => tx.q.update(accounts).set({ deletedAt: 5 }).where(eq(accounts.id, account)));
  expect(await book("adjustment", -12)).toBe(-2);
  expect(await book("return", 2)).toBe(0);
  expect(await book("return", 4)).toBe(0);
  const { rows } = await entriesOf(store.db, account, { limit: 2, offset: 0 });
  expect(rows.map(({ kind, credits, source }) => [kind, credits, source])).toEqual([
    ["adjustment", -4, "not_given:4"],
    ["return", 4, expect.any(String)],
  ]);
});

test("a page of the ledger is newest first, says whether there is more, and may be of some credentials", async () => {
  const now = store.clock.now();
  for (const credential of ["key_a", "key_b", "key_a"])
    await store.db.tx((tx) =>
      post(tx, {
        accountId: account,
        kind: "spend",
        credits: -1,
        source: `${++sources}`,
        description: "x",
        credential,
        now,
      }),
    );
  const page = async (limit: number, offset: number, credentials?: string[]) => {
    const { rows, hasMore } = await entriesOf(store.db, account, {
      limit,
      offset,
      ...(credentials && { credentials }),
    });
    return [rows.map(({ no }) => no), hasMore];
  };
  expect(await page(2, 0)).toEqual([[4, 3], true]);
  expect(await page(2, 2)).toEqual([[2, 1], false]);
  expect(await page(3, 0, ["key_a"])).toEqual([[4, 2], false]);
  expect(await page(3, 0, ["key_a", "key_b"])).toEqual([[4, 3, 2], false]);
  expect(await page(3, 0, [])).toEqual([[], false]);
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
