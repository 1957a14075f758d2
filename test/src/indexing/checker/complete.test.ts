import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { StepRow } from "../../../../db/engine.ts";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { completeStep } from "../../../../src/indexing/checker/complete.ts";
import { HOUR, MINUTE, timesOf } from "../../../../src/platform/clock.ts";
import { packPositions, unpackPositions } from "../../../../src/platform/link-set.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("links of two steps share their next step if it is the same, in their own lane", async () => {
  const project = await store.index(await store.account(10), pages(10), { bing: true });
  const { db, clock } = store;
  const { steps } = db.t;
  const times = { service: clock.service(), now: clock.now() };
  const dueAt = times.service + MINUTE;
  const [sent] = await db.q.select().from(steps).where(eq(steps.lane, "google"));
  const halves = [
    [0, 1, 2],
    [7, 9],
  ].map((positions) => ({ positions, ...packPositions(positions) }));
  await db.tx((tx) => tx.q.delete(steps).where(eq(steps.lane, "google")).returning());
  await db.tx((tx) => tx.insertSteps(halves.map(({ first, size, members }) => ({ ...sent!, first, size, members }))));
  const held = (
    await db.claimSteps({ priority: 1, dueBy: times.service, now: 0, lease: "a.1", leaseUntil: MINUTE, limit: 10 })
  ).filter(({ lane }) => lane === "google");
  expect(held).toHaveLength(2);
  for (const step of held) {
    const next = (["google", "bing"] as const).map((lane) => ({
      lane,
      action: "resend" as const,
      stage: step.stage,
      dueAt,
      positions: unpackPositions(step),
    }));
    const result = { moves: [], next, deliveries: [], observations: [], facts: null };
    await db.tx((tx) => completeStep(tx, project, step, result, times));
  }
  const later = await db.q.select().from(steps).where(eq(steps.dueAt, dueAt));
  const found = later.map((step: StepRow) => [step.lane, unpackPositions(step), step.size]).sort();
  expect(found).toEqual([
    ["bing", [0, 1, 2, 7, 9], 5],
    ["google", [0, 1, 2, 7, 9], 5],
  ]);
});

test("a link that is cancelled while it is looked up ends as cancelled, whatever Google has, and comes back in full", async () => {
  const account = await store.account(10);
  const urls = [...pages(3, "hour"), ...pages(2, "never")];
  const project = await store.index(account, urls, { skipIndexed: true });
  // While the worker waits for the lookup, its caller cancels one that Google has and one that it has not.
  const work = testChecker(store, (sandbox) => ({
    ...sandbox,
    verifier: {
      async check(batch) {
        await store.db.tx((tx) => cancelLinks(tx, project, [1, 3], timesOf(store.clock)));
        return sandbox.verifier.check(batch);
      },
    },
  }));
  await work.until(store.clock.service() + HOUR);
  const fates = (await store.links(project)).map(({ link: { state, error } }) => [state, error]);
  expect(fates).toEqual([
    ["failed", "already_indexed"],
    ["failed", "cancelled"],
    ["failed", "already_indexed"],
    ["failed", "cancelled"],
    ["checking", null],
  ]);
  expect(await store.balance(account)).toBe(7);
  expect(work.troubles).toEqual([]);
});
