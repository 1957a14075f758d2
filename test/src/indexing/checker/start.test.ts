import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { StepRow } from "../../../../db/engine.ts";
import { startChecker } from "../../../../src/indexing/checker/start.ts";
import type { Submitter, Verifier } from "../../../../src/indexing/engines/engine.ts";
import { FaultInjector } from "../../../../src/indexing/engines/sandbox/faults.ts";
import { sandboxEngines } from "../../../../src/indexing/engines/sandbox/sandbox.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

/** Starts a checker that submits to Google by this submitter. */
function start(google: Submitter, graceMs = 10_000, verifier?: Verifier) {
  const troubles: object[] = [];
  const note = (details: object) => void troubles.push(details);
  const sandbox = sandboxEngines(new FaultInjector([], 0));
  const engines = { ...sandbox, submitters: { ...sandbox.submitters, google }, ...(verifier && { verifier }) };
  const log = { info() {}, warn: note, error: note };
  const { db, clock } = store;
  return { ...startChecker({ db, clock, engines, log, scale: () => 1, graceMs }), troubles };
}

const accepted: Submitter = {
  send: async ({ urls }) => urls.map(() => ({ kind: "accepted", provider: "p" })),
};

test("a stop waits for running steps", async () => {
  const call: { answer?: () => void } = {};
  const project = await store.index(await store.account(1), pages(1));
  const running = start({
    async send(batch) {
      await new Promise<void>((resolve) => {
        call.answer = resolve;
      });
      return accepted.send(batch);
    },
  });
  await expect.poll(() => call.answer).toBeDefined();
  const stopped = running.stop();
  call.answer!();
  await stopped;
  expect(await store.reload(project)).toMatchObject({ checking: 1 });
  expect(running.troubles).toEqual([]);
});

test("a stop does not wait forever: the next run takes over what was begun, and does nothing twice", async () => {
  const call: { answer?: () => void } = {};
  const project = await store.index(await store.account(1), pages(1, "hour"));
  const running = start({ send: () => new Promise((resolve) => (call.answer = () => resolve([]))) }, 50);
  await expect.poll(() => call.answer).toBeDefined();
  await running.stop();
  store.clock.pass(2 * MINUTE);
  const next = testChecker(store);
  await next.checker.drain();
  const [link] = await store.links(project);
  expect(link!.deliveries.google).toMatchObject({ status: "sent", detail: "answer_lost" });
  // The late answer changes nothing.
  call.answer!();
  await sleep(20);
  expect([running.troubles, next.troubles, await store.problems()]).toEqual([[], [], []]);
});

test("a step that only checks is released when the stop ends, so that another run need not wait for its lease", async () => {
  const project = await store.index(await store.account(1), pages(1, "hour"));
  await testChecker(store).checker.drain();
  store.clock.pass(4 * DAY);
  let lookups = 0;
  const running = start(accepted, 50, {
    check: () => {
      lookups++;
      return new Promise(() => undefined);
    },
  });
  await expect.poll(() => lookups).toBe(1);
  const { steps } = store.db.t;
  const leases = () => store.db.q.select({ lease: steps.lease }).from(steps);
  expect(await leases()).toEqual([{ lease: expect.any(String) }]);
  await running.stop();
  expect(await leases()).toEqual([{ lease: null }]);
  const next = testChecker(store);
  expect(await next.checker.drain()).toBeGreaterThan(0);
  expect([running.troubles, next.troubles, await store.problems()]).toEqual([[], [], []]);
  expect(await store.reload(project)).toMatchObject({ indexed: 1 });
});

test("a step that sends is not released if no lookup can tell later whether the call arrived", async () => {
  await store.index(await store.account(1), pages(1));
  let sent = 0;
  const running = start({ send: () => new Promise(() => void sent++) }, 50);
  await expect.poll(() => sent).toBe(1);
  await running.stop();
  const [step] = await store.db.q.select().from(store.db.t.steps);
  expect(step).toMatchObject({ lease: expect.any(String), intentAt: expect.any(Number) });
  expect(await testChecker(store).checker.drain()).toBe(0);
});

test.each([
  ["is released", "no call is open", []],
  ["is not released", "a call is open", [null]],
  ["is released", "its calls are answered", ["[]"]],
])("a step that sends, and whose calls can be looked up, %s while %s", async (how, _, outcomes) => {
  await store.index(await store.account(1), pages(1));
  let sent = 0;
  const google: Submitter = { send: () => new Promise(() => void sent++), resume: async () => [] };
  const running = start(google, 50);
  await expect.poll(() => sent).toBe(1);
  const { calls, steps } = store.db.t;
  const [{ id, first, members } = {} as StepRow] = await store.db.q.select().from(steps);
  const call = { stepId: id, provider: "p", reference: "r", first, members, begunAt: 0 };
  await store.db.tx(async (tx) => {
    for (const one of outcomes) await tx.q.insert(calls).values({ ...call, outcomes: one });
  });
  await running.stop();
  const [step] = await store.db.q.select().from(steps);
  expect(step!.lease === null).toBe(how === "is released");
});

test("a new submission is sent while another step waits for its answer", async () => {
  const sent: string[] = [];
  const call: { answer?: () => void } = {};
  const account = await store.account(2);
  await store.index(account, ["https://slow.example/"]);
  const running = start({
    async send(batch) {
      sent.push(...batch.urls);
      if (batch.urls[0] === "https://slow.example/") {
        await new Promise<void>((resolve) => {
          call.answer = resolve;
        });
      }
      return accepted.send(batch);
    },
  });
  await expect.poll(() => call.answer).toBeDefined();
  await store.index(account, ["https://quick.example/"]);
  running.wake();
  await expect.poll(() => sent).toEqual(["https://slow.example/", "https://quick.example/"]);
  call.answer!();
  await running.stop();
  expect(running.troubles).toEqual([]);
});

test("a minute that a busy process has missed is written nowhere but in the log", async () => {
  const written = (["log", "warn", "error"] as const).map((name) => vi.spyOn(console, name).mockReturnValue());
  vi.useFakeTimers();
  try {
    const running = start(accepted);
    vi.setSystemTime(Date.now() + 5 * MINUTE);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await running.stop();
    expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});
