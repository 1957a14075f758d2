import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine } from "../../../../db/engine.ts";
import { openDatabase } from "../../../../db/open.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { purgeTicks, winTick } from "../../../../src/platform/scheduler/claim-slot.ts";
import { startRounds } from "../../../../src/platform/scheduler/recurring.ts";
import { type TestStore, testStore } from "../../../support/database/store.ts";
import { type Away, awayDatabase } from "../../../support/database/unavailable.ts";

let store: TestStore;
let nodes: Engine[];
let opened: Engine[];
let away: Away;
/** How often the time was asked for: twice in each turn, and last of all before the next one is waited for. */
let asked: number;
const turns = async (count: number) => {
  await vi.waitFor(() => expect(asked).toBe(2 * count));
  await new Promise(setImmediate);
};
beforeEach(async () => {
  store = await testStore();
  opened = [];
  for (let i = 0; i < 2; i++) opened.push(await openDatabase(store.url, { durable: false }));
  away = awayDatabase();
  // Time is the database's, and moved by hand.
  asked = 0;
  const now = async () => {
    asked += 1;
    return store.clock.now();
  };
  nodes = opened.map((db) => away.between({ ...db, now }));
});
afterEach(async () => {
  vi.useRealTimers();
  for (const db of opened) await db.close();
  await store.close();
});
const ticks = () => store.db.q.select().from(store.db.t.ticks);

test("law: of all nodes one wins a slot, and every slot has one", async () => {
  for (let slot = 0; slot < 5; slot++) {
    const asked = nodes.flatMap((db, i) =>
      [1, 2].map(() => winTick(db, { job: "j", periodMs: MINUTE, node: `n${i}` })),
    );
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    store.clock.pass(MINUTE);
  }
  expect(await ticks()).toHaveLength(5);
});

test("jobs are won each by itself; slots are as long as the period, and begin where it divides the time", async () => {
  const [db] = nodes as [Engine];
  const win = (job: string, periodMs: number) => winTick(db, { job, periodMs, node: "n" });
  expect([await win("a", HOUR), await win("b", HOUR), await win("a", HOUR)]).toEqual([true, true, false]);
  store.clock.pass(HOUR - 1);
  expect(await win("a", HOUR)).toBe(false);
  store.clock.pass(1);
  expect(await win("a", HOUR)).toBe(true);
});

test("the tick is there before the round begins, so a round that dies is the next slot's", async () => {
  const [db, next] = nodes as [Engine, Engine];
  const seen: number[] = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failed = vi.fn();
  const dies = async () => {
    seen.push((await ticks()).length);
    throw new Error("died");
  };
  const stop = startRounds(db, { job: "j", periodMs: MINUTE, firstMs: 0, work: dies, failed });
  vi.advanceTimersByTime(0);
  await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
  await stop();
  expect(seen).toEqual([1]);
  expect(await winTick(next, { job: "j", periodMs: MINUTE, node: "n" })).toBe(false);
  store.clock.pass(MINUTE);
  expect(await winTick(next, { job: "j", periodMs: MINUTE, node: "n" })).toBe(true);
});

test("law: rounds of several nodes are done once in each slot; a node that comes in a slot that was had does the next", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let rounds = 0;
  const round = { job: "j", periodMs: MINUTE, firstMs: 0, failed: (err: unknown) => expect(err).toBeUndefined() };
  const work = async () => {
    rounds += 1;
  };
  const stops = nodes.map((db) => startRounds(db, { ...round, work }));
  vi.advanceTimersByTime(0);
  await turns(2);
  expect(rounds).toBe(1);
  // One that was just started, in the same slot.
  stops.push(startRounds(nodes[0]!, { ...round, work }));
  vi.advanceTimersByTime(0);
  await turns(3);
  for (let slot = 2; slot < 6; slot++) {
    store.clock.pass(MINUTE);
    vi.advanceTimersByTime(MINUTE);
    await turns(3 * slot);
    expect(rounds).toBe(slot);
  }
  await Promise.all(stops.map((stop) => stop()));
  store.clock.pass(MINUTE);
  vi.advanceTimersByTime(10 * MINUTE);
  await turns(15);
  expect(rounds).toBe(5);
});

test("a database that is away is reported once, and asked again until it is there", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [work, failed] = [vi.fn(async () => undefined), vi.fn()];
  away.is = "away";
  const stop = startRounds(nodes[0]!, { job: "j", periodMs: HOUR, firstMs: SECOND, work, failed });
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(10 * SECOND);
    // The next one is waited for once this one has failed.
    await new Promise(setImmediate);
  }
  expect([work.mock.calls.length, failed.mock.calls.length]).toEqual([0, 1]);
  away.is = "there";
  vi.advanceTimersByTime(10 * SECOND);
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1));
  await stop();
});

test("ticks are forgotten after two days", async () => {
  const [db] = nodes as [Engine];
  await winTick(db, { job: "j", periodMs: HOUR, node: "n" });
  store.clock.pass(2 * DAY);
  await winTick(db, { job: "j", periodMs: HOUR, node: "n" });
  await purgeTicks(db);
  expect(await ticks()).toHaveLength(2);
  store.clock.pass(1);
  await purgeTicks(db);
  expect(await ticks()).toHaveLength(1);
});
