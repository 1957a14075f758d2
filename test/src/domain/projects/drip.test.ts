import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { dripSlots, scheduledAt } from "../../../../src/domain/projects/create.ts";
import { DAY, HOUR, SECOND } from "../../../../src/platform/clock.ts";
import { unpackPositions } from "../../../../src/platform/link-set.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { pages, testStore } from "../../../support/database/store.ts";

const store = await testStore();
afterAll(() => store.close());

const DAYS = fc.constantFrom(0, 3, 7, 14, 30);

test("law: link i of n is in slot ⌊i·S/n⌋ of S = min(n, 24·days), which is due at ⌊slot·days·86400/S⌋ s", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), DAYS, fc.nat(9_999), (total, dripDays, at) => {
      const position = at % total;
      const slots = dripDays === 0 ? 1 : Math.min(total, 24 * dripDays);
      const slot = Number((BigInt(position) * BigInt(slots)) / BigInt(total));
      const starts = dripSlots(total, dripDays);
      expect(starts).toHaveLength(slots + 1);
      expect(starts[slot]!).toBeLessThanOrEqual(position);
      expect(starts[slot + 1]!).toBeGreaterThan(position);
      const project = { createdAt: 123, dripDays, total } as Parameters<typeof scheduledAt>[0];
      expect(scheduledAt(project, position)).toBe(123 + Math.floor((slot * dripDays * 86_400) / slots) * 1_000);
    }),
    { numRuns: fuzzRuns(5_000), seed: 1 },
  );
});

test.each([
  [1, 3, [0]],
  [2, 3, [0, 36 * HOUR]],
  [4, 3, [0, 18 * HOUR, 36 * HOUR, 54 * HOUR]],
  [7, 7, [0, DAY, 2 * DAY, 3 * DAY, 4 * DAY, 5 * DAY, 6 * DAY]],
  [11, 30, Array.from({ length: 11 }, (_, k) => Math.floor((k * 30 * 86_400) / 11) * SECOND)],
])("%i links over %i days: the steps are due at these times", async (count, dripDays, dues) => {
  const project = await store.index(await store.account(count), pages(count), { dripDays });
  const links = await store.links(project);
  expect(links.map(({ step }) => step!.dueAt - project.createdAt)).toEqual(dues);
  expect(links.map(({ position }) => scheduledAt(project, position) - project.createdAt)).toEqual(dues);
});

test("10,000 links over 30 days: 720 steps an hour apart, each link in one", async () => {
  const project = await store.index(await store.account(10_000), pages(10_000), { dripDays: 30 });
  const steps = await store.db.q.select().from(store.db.t.steps);
  const mine = steps.filter((step) => step.projectNo === project.no).sort((a, b) => a.dueAt - b.dueAt);
  expect(mine.map(({ dueAt }) => dueAt)).toEqual(Array.from({ length: 720 }, (_, k) => project.createdAt + k * HOUR));
  expect(mine.flatMap(unpackPositions)).toEqual(Array.from({ length: 10_000 }, (_, position) => position));
  expect(Math.max(...mine.map(({ size }) => size)) - Math.min(...mine.map(({ size }) => size))).toBe(1);
});

test("without a drip: steps of at most 500 links, all due now, for each enabled lane", async () => {
  const project = await store.index(await store.account(1_200), pages(1_200), { bing: true });
  const steps = (await store.db.q.select().from(store.db.t.steps)).filter((step) => step.projectNo === project.no);
  expect(steps.map(({ lane, size, dueAt }) => [lane, size, dueAt - project.createdAt])).toEqual([
    ["google", 500, 0],
    ["bing", 500, 0],
    ["google", 500, 0],
    ["bing", 500, 0],
    ["google", 200, 0],
    ["bing", 200, 0],
  ]);
});
