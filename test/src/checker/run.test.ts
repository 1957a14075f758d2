import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startChecker } from "../../../src/checker/run.ts";
import { MINUTE } from "../../../src/clock.ts";
import type { Submitter } from "../../../src/engines/engine.ts";
import { FaultSwitch } from "../../../src/engines/sandbox/faults.ts";
import { sandboxEngines } from "../../../src/engines/sandbox/sandbox.ts";
import { testChecker } from "../../support/checker.ts";
import { pages, type TestStore, testStore } from "../../support/store.ts";

let store: TestStore;
beforeEach(async () => {
  store = await testStore();
});
afterEach(() => store.close());

/** The clock of a process whose submitter to Google is this one. */
function start(google: Submitter, graceMs = 10_000) {
  const troubles: object[] = [];
  const note = (details: object) => void troubles.push(details);
  const sandbox = sandboxEngines(new FaultSwitch("", 0));
  const engines = { ...sandbox, submitters: { ...sandbox.submitters, google } };
  const log = { info() {}, warn: note, error: note };
  const { db, clock } = store;
  return { ...startChecker({ db, clock, engines, log, scale: () => 1, graceMs }), troubles };
}

const accepted: Submitter = {
  send: async ({ urls }) => urls.map(() => ({ kind: "accepted", provider: "p" })),
};

test("a stop waits for the steps in hand", async () => {
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

test("but not for ever: what was begun is the next run's, and is not done twice", async () => {
  const call: { answer?: () => void } = {};
  const project = await store.index(await store.account(1), pages(1, "hour"));
  const running = start({ send: () => new Promise((resolve) => (call.answer = () => resolve([]))) }, 50);
  await expect.poll(() => call.answer).toBeDefined();
  await running.stop();
  store.clock.pass(2 * MINUTE);
  const next = testChecker(store);
  await next.checker.drain();
  const [link] = await store.links(project);
  expect(link!.deliveries.google).toMatchObject({ status: 0, detail: "answer_lost" });
  // The late answer is nobody's business any more.
  call.answer!();
  await sleep(20);
  expect([running.troubles, next.troubles, await store.problems()]).toEqual([[], [], []]);
});

test("what is submitted while a step waits for its answer does not wait with it", async () => {
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
