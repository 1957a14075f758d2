import { beforeEach, expect, test } from "vitest";
import { type EventFilter, eventId, eventsOf, purgeEvents } from "../../../../src/domain/events/events.ts";
import { recordEvents } from "../../../../src/domain/events/record.ts";
import type { NewEvent } from "../../../../src/domain/events/types.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let account: string;
beforeEach(async () => {
  account = await store.account(150);
  await store.db.tx(({ q, t: { events } }) => q.delete(events).returning());
});

const low = (balance: number): NewEvent => ({ type: "credits.low", data: { balance, threshold: 100 } });
const site = (host: string): NewEvent => ({ type: "site.verified", data: { site_id: "site_1", host } });
const record = (...events: NewEvent[]) => store.db.tx((tx) => recordEvents(tx, account, events, store.clock.now()));

const ALL: EventFilter = { after: null, type: null, projectId: null, limit: 200 };
const list = async (filter: Partial<EventFilter> = {}) => {
  const { rows, hasMore } = await eventsOf(store.db, account, { ...ALL, ...filter });
  return { ids: rows.map(({ no }) => eventId(account, no)), types: rows.map(({ type }) => type), hasMore };
};

test("law: events are numbered without gaps in order of writing, by transactions that run at once too", async () => {
  const before = (await numbers()).newest;
  await Promise.all(Array.from({ length: 12 }, (_, n) => record(low(n), site(`${n}.example.com`))));
  const { all, newest } = await numbers();
  expect(newest).toBe(before + 24);
  expect(all).toEqual(Array.from({ length: 24 }, (_, n) => before + 1 + n));
});

async function numbers() {
  const { events, accounts } = store.db.t;
  const [row] = await store.db.q.select({ newest: accounts.events }).from(accounts);
  const rows = await store.db.q.select({ no: events.no }).from(events);
  return { newest: row!.newest, all: rows.map(({ no }) => no).sort((a, b) => a - b) };
}

test("a transaction that fails leaves no event, and its number is given again", async () => {
  const { newest } = await numbers();
  const failing = store.db.tx(async (tx) => {
    await recordEvents(tx, account, [low(1)], store.clock.now());
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  await record(low(2));
  expect((await list()).ids).toEqual([eventId(account, newest + 1)]);
});

test("the events after a cursor: none is missed, none comes twice", async () => {
  for (let n = 0; n < 5; n++) await record(low(n));
  const seen: string[] = [];
  for (let after: string | null = null, hasMore = true; hasMore; after = seen.at(-1)!) {
    const page: { ids: string[]; hasMore: boolean } = await list({ after, limit: 2 });
    seen.push(...page.ids);
    hasMore = page.hasMore;
  }
  expect(seen).toEqual((await list()).ids);
  expect(await list({ after: seen.at(-1)! })).toMatchObject({ ids: [], hasMore: false });
});

test("a type alone can be asked for", async () => {
  await record(low(1), site("a.example.com"), low(2));
  expect((await list({ type: "credits.low" })).types).toEqual(["credits.low", "credits.low"]);
});

test("400 invalid_request: a cursor that is no event of the account, or none yet", async () => {
  await record(low(1));
  const other = await store.account(1);
  const newest = (await list()).ids.at(-1)!;
  const next = newest.replace(/\d+$/, (no) => String(Number(no) + 1));
  for (const after of ["evt_1", "x", eventId(other, 1), `${newest}x`, next, eventId(account, 0)])
    await expect(list({ after }), after).rejects.toMatchObject({ code: "invalid_request" });
});

test("400 cursor_expired: only where events after it were deleted", async () => {
  await record(low(1), low(2));
  const { ids: old } = await list();
  store.clock.pass(31 * DAY);
  await record(low(3));
  await purgeEvents(store.db, store.clock.now());
  const { ids: kept } = await list();
  expect(kept).toHaveLength(1);
  await expect(list({ after: old[0]! })).rejects.toMatchObject({ code: "cursor_expired" });
  expect((await list({ after: old[1]! })).ids).toEqual(kept);
  store.clock.pass(31 * DAY);
  await purgeEvents(store.db, store.clock.now());
  await expect(list({ after: old[1]! })).rejects.toMatchObject({ code: "cursor_expired" });
  expect((await list({ after: kept[0]! })).ids).toEqual([]);
});

test("an event is kept for 30 days, and deleted after them", async () => {
  await record(low(1));
  store.clock.pass(DAY);
  await record(low(2));
  store.clock.pass(29 * DAY);
  await purgeEvents(store.db, store.clock.now());
  expect((await list()).ids).toHaveLength(2);
  store.clock.pass(1);
  await purgeEvents(store.db, store.clock.now());
  expect((await list()).ids).toHaveLength(1);
  store.clock.pass(DAY);
  await purgeEvents(store.db, store.clock.now());
  expect((await list()).ids).toEqual([]);
});

test("more than five thousand events that are too old are deleted, of all accounts, and no others", async () => {
  const other = await store.account(0);
  const many = Array.from({ length: 2_600 }, (_, n) => site(`${n}.example.com`));
  for (const accountId of [account, other])
    await store.db.tx((tx) => recordEvents(tx, accountId, many, store.clock.now()));
  store.clock.pass(31 * DAY);
  await record(low(3));
  await purgeEvents(store.db, store.clock.now());
  expect((await store.db.q.select().from(store.db.t.events)).map(({ type }) => type)).toEqual(["credits.low"]);
  expect(await store.problems()).toEqual([]);
});

test("an event waits to be sent only where somebody receives it: by mail, or by a webhook of the account", async () => {
  const queued = async () =>
    (await store.db.q.select().from(store.db.t.events)).map(({ queuedAt }) => queuedAt !== null);
  await record(site("a.example.com"), low(1));
  expect(await queued()).toEqual([false, true]);
});
