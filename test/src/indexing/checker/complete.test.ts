import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { StepRow } from "../../../../db/engine.ts";
import { completeStep } from "../../../../src/indexing/checker/complete.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { packPositions, unpackPositions } from "../../../../src/platform/link-set.ts";
import { pages, testStore } from "../../../support/database/store.ts";
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
