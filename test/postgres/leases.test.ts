import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { Checker } from "../../src/indexing/checker/checker.ts";
import { LeaseLost } from "../../src/indexing/checker/lease.ts";
import type { Engines, SendBatch, SendOutcome, Submitter } from "../../src/indexing/engines/engine.ts";
import { FaultInjector } from "../../src/indexing/engines/sandbox/faults.ts";
import { sandboxEngines } from "../../src/indexing/engines/sandbox/sandbox.ts";
import { AnchoredClock, MINUTE, SECOND } from "../../src/platform/clock.ts";
import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";
import { measureClockSkew } from "../../src/process/instance.ts";
import { pages, testStore } from "../support/database/store.ts";
import { anyQuota } from "../support/indexing/any-quota.ts";
import { type PostgresProxy, startPostgresProxy } from "../support/nodes/postgres-proxy.ts";
import { eachTest } from "../support/service/each-test.ts";

const store = eachTest(testStore);
let proxy: PostgresProxy;
const opened: Engine[] = [];
beforeEach(async () => {
  proxy = await startPostgresProxy(Number(new URL(store.url).port));
});
afterEach(async () => {
  vi.restoreAllMocks();
  proxy.heal();
  await Promise.all(opened.splice(0).map((db) => db.close()));
  await proxy.close();
});

/** What a node's submitter to Google was asked, and the hold on its answer. */
function upstream(resume?: Submitter["resume"]) {
  const calls: SendBatch[] = [];
  const pending: (() => void)[] = [];
  const accepted = (batch: SendBatch) => batch.urls.map((): SendOutcome => ({ kind: "accepted", provider: "p" }));
  const submitter: Submitter = {
    async send(batch) {
      calls.push(batch);
      await new Promise<void>((resolve) => pending.push(resolve));
      return accepted(batch);
    },
    ...(resume ? { resume } : {}),
  };
  const answer = () => {
    for (const resolve of pending.splice(0)) resolve();
  };
  return { submitter, calls, answer };
}

/** A node of its own: connections, checker and submitter; its times come from `clock`. */
async function node(
  google: Submitter,
  { url = store.url, clock = store.clock as { now(): number; service(): number } } = {},
) {
  const db = await openDatabase(url);
  opened.push(db);
  const troubles: unknown[] = [];
  const note = (details: object) => void troubles.push((details as { err?: unknown }).err);
  const sandbox = sandboxEngines(new FaultInjector([], 0));
  const engines: Engines = { ...sandbox, submitters: { ...sandbox.submitters, google } };
  const checker = new Checker({ db, clock, engines, log: { info() {}, warn: note, error: note } });
  return { db, checker, troubles };
}

const sends = async () => {
  const { deliveries } = store.db.t;
  return (await store.db.q.select().from(deliveries)).map(({ status, detail }) => [status, detail]);
};
const inGoogleOnly = { bing: false, yandex: false } as const;

test("a node paused past its lease finds its step taken over, and writes nothing; no provider is called twice", async () => {
  const project = await store.index(await store.account(3), pages(3, "hour"), inGoogleOnly);
  const [first, second] = [upstream(), upstream()];
  const paused = await node(first.submitter);
  const other = await node(second.submitter);
  const drained = paused.checker.drain();
  await expect.poll(() => first.calls).toHaveLength(1);
  expect(await other.checker.drain()).toBe(0);
  store.clock.pass(61 * SECOND);
  expect(await other.checker.drain()).toBe(1);
  first.answer();
  await drained;
  expect(paused.troubles).toEqual([expect.any(LeaseLost)]);
  expect(second.calls).toEqual([]);
  // Whether the first call arrived nobody can know: it counts as sent.
  expect(await sends()).toEqual([["sent", "answer_lost"]]);
  expect(await store.reload(project)).toMatchObject({ checking: 3, waiting: 0 });
  expect([other.troubles, await store.problems()]).toEqual([[], []]);
});

test("where a provider can tell the outcome of a call, the node that takes over asks it once", async () => {
  const project = await store.index(await store.account(2), pages(2, "hour"), inGoogleOnly);
  let resumed = 0;
  const resume: Submitter["resume"] = async ({ urls }) => {
    resumed++;
    return urls.map((): SendOutcome => ({ kind: "accepted", provider: "p", detail: "looked_up" }));
  };
  const first = upstream(resume);
  const paused = await node(first.submitter);
  // The step is begun; its journal is this submitter's own business, and empty here.
  const other = await node(upstream(resume).submitter);
  const drained = paused.checker.drain();
  await expect.poll(() => first.calls).toHaveLength(1);
  await first.calls[0]!.journal.begin({
    provider: "p",
    quota: anyQuota("p"),
    indices: [0, 1],
  });
  store.clock.pass(61 * SECOND);
  await other.checker.drain();
  first.answer();
  await drained;
  expect([resumed, first.calls.length]).toEqual([1, 1]);
  expect(await sends()).toEqual([["accepted", "looked_up"]]);
  expect(await store.reload(project)).toMatchObject({ checking: 2 });
  expect(await store.problems()).toEqual([]);
});

test("a node whose lease renewals fail for a minute loses its step; with renewals it keeps it", async () => {
  const account = await store.account(2);
  const [first, second] = [upstream(), upstream()];
  const cutOff = await node(first.submitter, { url: proxy.through(store.url) });
  const other = await node(second.submitter);
  await store.index(account, ["https://example.com/1?sandbox=hour"], inGoogleOnly);
  const drained = cutOff.checker.drain();
  await expect.poll(() => first.calls).toHaveLength(1);
  for (let renewals = 0; renewals < 6; renewals++) {
    store.clock.pass(20 * SECOND);
    await cutOff.checker.renew();
    expect(await other.checker.drain()).toBe(0);
  }
  proxy.cut();
  for (let renewals = 0; renewals < 3; renewals++) {
    store.clock.pass(20 * SECOND);
    await expect(cutOff.checker.renew()).rejects.toThrow(DatabaseUnavailable);
  }
  store.clock.pass(SECOND);
  expect(await other.checker.drain()).toBe(1);
  proxy.heal();
  await cutOff.checker.renew();
  first.answer();
  await drained;
  expect(cutOff.troubles).toEqual([expect.any(LeaseLost)]);
  expect(await sends()).toEqual([["sent", "answer_lost"]]);
  expect([second.calls, await store.problems()]).toEqual([[], []]);
});

test("a step whose final commit succeeded but whose answer was lost is not repeated", async () => {
  const project = await store.index(await store.account(1), pages(1, "hour"), inGoogleOnly);
  const first = upstream();
  const unlucky = await node(first.submitter, { url: proxy.through(store.url) });
  const other = await node(upstream().submitter);
  const drained = unlucky.checker.drain();
  await expect.poll(() => first.calls).toHaveLength(1);
  const lost = proxy.loseCommit('insert into "deliveries"', "after");
  first.answer();
  await lost;
  await drained;
  store.clock.pass(61 * SECOND);
  expect(await other.checker.drain()).toBe(0);
  expect([await sends(), (await store.reload(project)).checking]).toEqual([[["accepted", null]], 1]);
  expect([unlucky.troubles, await store.problems()]).toEqual([[], []]);
});

test("a provider's answer that arrives during an outage of the database is written when it is back", async () => {
  const project = await store.index(await store.account(2), pages(2, "hour"), inGoogleOnly);
  const first = upstream();
  const cutOff = await node(first.submitter, { url: proxy.through(store.url) });
  const drained = cutOff.checker.drain();
  await expect.poll(() => first.calls).toHaveLength(1);
  proxy.cut();
  first.answer();
  // Longer than the lease: nobody else has claimed the step meanwhile.
  store.clock.pass(61 * SECOND);
  await expect.poll(() => proxy.refused).toBeGreaterThan(0);
  proxy.heal();
  await drained;
  expect([await sends(), (await store.reload(project)).checking]).toEqual([[["accepted", null]], 2]);
  expect([cutOff.troubles, await store.problems()]).toEqual([[], []]);
});

for (const minutes of [5, -5]) {
  test(`a machine whose clock is ${minutes} minutes off goes by the database's: it steals no lease and loses none`, async () => {
    await store.index(await store.account(1), pages(1, "hour"), inGoogleOnly);
    // Service time comes from the store; leases are real time, as in production.
    const real = Date.now;
    const clockOf = async (offMs: number, db: Engine) => {
      vi.spyOn(Date, "now").mockImplementation(() => real() + offMs);
      const clock = new AnchoredClock({ realAt: 0, serviceAt: store.clock.service(), scale: 0 });
      clock.skew = await measureClockSkew(db);
      expect(Math.abs(clock.now() - real())).toBeLessThan(2 * SECOND);
      vi.restoreAllMocks();
      return { service: () => store.clock.service(), now: () => clock.now() + offMs };
    };
    const [first, second] = [upstream(), upstream()];
    const right = await node(first.submitter, { clock: await clockOf(0, store.db) });
    const wrong = await node(second.submitter, { clock: await clockOf(minutes * MINUTE, store.db) });
    // The one whose clock is wrong meets a lease of the other, and the other one of its.
    const drained = right.checker.drain();
    await expect.poll(() => first.calls).toHaveLength(1);
    expect(await wrong.checker.drain()).toBe(0);
    first.answer();
    await drained;
    expect(await sends()).toEqual([["accepted", null]]);

    const again = await store.index(await store.account(1), pages(1, "hour"), inGoogleOnly);
    const held = wrong.checker.drain();
    await expect.poll(() => second.calls).toHaveLength(1);
    expect(await right.checker.drain()).toBe(0);
    second.answer();
    await held;
    expect(await store.reload(again)).toMatchObject({ checking: 1 });
    expect([right.troubles, wrong.troubles, await store.problems()]).toEqual([[], [], []]);
  });
}
