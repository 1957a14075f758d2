import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine } from "../../../../db/engine.ts";
import { openDatabase } from "../../../../db/open.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { claimSlot, purgeSlots } from "../../../../src/process/scheduler/claim-slot.ts";
import { startRecurring } from "../../../../src/process/scheduler/recurring.ts";
import { type TestStore, testStore } from "../../../support/database/store.ts";
import { type SwitchableDatabase, switchableDatabase } from "../../../support/database/switchable-database.ts";
import { eventually } from "../../../support/service/eventually.ts";

let store: TestStore;
let nodes: Engine[];
let opened: Engine[];
let database: SwitchableDatabase;
/** How often the database's time was read: twice each time a job tries a slot, the second time before it waits for the next one. */
let timeReads: number;
const triedSlots = async (count: number) => {
  await eventually(() => expect(timeReads).toBe(2 * count));
  await new Promise(setImmediate);
};
beforeEach(async () => {
  store = await testStore();
  opened = [];
  for (let i = 0; i < 2; i++) opened.push(await openDatabase(store.url, { durable: false }));
  database = switchableDatabase();
  // The database's time, which the test moves.
  timeReads = 0;
  const now = async () => {
    timeReads += 1;
    return store.clock.now();
  };
  nodes = opened.map((db) => database.wrap({ ...db, now }));
});
afterEach(async () => {
  vi.useRealTimers();
  for (const db of opened) await db.close();
  await store.close();
});
const claims = () => store.db.q.select().from(store.db.t.ticks);

test("law: of all nodes one claims a slot, and every slot is claimed", async () => {
  for (let slot = 0; slot < 5; slot++) {
    const attempts = nodes.flatMap((db, i) =>
      [1, 2].map(() => claimSlot(db, { job: "j", periodMs: MINUTE, node: `n${i}` })),
    );
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    store.clock.pass(MINUTE);
  }
  expect(await claims()).toHaveLength(5);
});

test("each job has slots of its own, as long as its period and aligned to multiples of it", async () => {
  const [db] = nodes as [Engine];
  const claim = (job: string, periodMs: number) => claimSlot(db, { job, periodMs, node: "n" });
  expect([await claim("a", HOUR), await claim("b", HOUR), await claim("a", HOUR)]).toEqual([true, true, false]);
  store.clock.pass(HOUR - 1);
  expect(await claim("a", HOUR)).toBe(false);
  store.clock.pass(1);
  expect(await claim("a", HOUR)).toBe(true);
});

test("the claim is written before the work begins: if the work crashes, it waits for the next slot", async () => {
  const [db, next] = nodes as [Engine, Engine];
  const seen: number[] = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failed = vi.fn();
  const dies = async () => {
    seen.push((await claims()).length);
    throw new Error("died");
  };
  const stop = startRecurring(db, { job: "j", periodMs: MINUTE, firstMs: 0, work: dies, failed });
  vi.advanceTimersByTime(0);
  await eventually(() => expect(failed).toHaveBeenCalledTimes(1));
  await stop();
  expect(seen).toEqual([1]);
  expect(await claimSlot(next, { job: "j", periodMs: MINUTE, node: "n" })).toBe(false);
  store.clock.pass(MINUTE);
  expect(await claimSlot(next, { job: "j", periodMs: MINUTE, node: "n" })).toBe(true);
});

test("law: several nodes do a job once in each slot; one that starts in a claimed slot waits for the next", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let done = 0;
  const job = { job: "j", periodMs: MINUTE, firstMs: 0, failed: (err: unknown) => expect(err).toBeUndefined() };
  const work = async () => {
    done += 1;
  };
  const stops = nodes.map((db) => startRecurring(db, { ...job, work }));
  vi.advanceTimersByTime(0);
  await triedSlots(2);
  expect(done).toBe(1);
  // A node that starts within the same slot.
  stops.push(startRecurring(nodes[0]!, { ...job, work }));
  vi.advanceTimersByTime(0);
  await triedSlots(3);
  for (let slot = 2; slot < 6; slot++) {
    store.clock.pass(MINUTE);
    vi.advanceTimersByTime(MINUTE);
    await triedSlots(3 * slot);
    expect(done).toBe(slot);
  }
  await Promise.all(stops.map((stop) => stop()));
  store.clock.pass(MINUTE);
  vi.advanceTimersByTime(10 * MINUTE);
  await triedSlots(15);
  expect(done).toBe(5);
});

test("a database that does not answer is reported once, and tried again until it answers", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [work, failed] = [vi.fn(async () => undefined), vi.fn()];
  database.state = "down";
  const stop = startRecurring(nodes[0]!, { job: "j", periodMs: HOUR, firstMs: SECOND, work, failed });
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(10 * SECOND);
    // The next one is waited for once this one has failed.
    await new Promise(setImmediate);
  }
  expect([work.mock.calls.length, failed.mock.calls.length]).toEqual([0, 1]);
  database.state = "up";
  vi.advanceTimersByTime(10 * SECOND);
  await eventually(() => expect(work).toHaveBeenCalledTimes(1));
  await stop();
});

test("claims are deleted after two days", async () => {
  const [db] = nodes as [Engine];
  await claimSlot(db, { job: "j", periodMs: HOUR, node: "n" });
  store.clock.pass(2 * DAY);
  await claimSlot(db, { job: "j", periodMs: HOUR, node: "n" });
  await purgeSlots(db);
  expect(await claims()).toHaveLength(2);
  store.clock.pass(1);
  await purgeSlots(db);
  expect(await claims()).toHaveLength(1);
});
