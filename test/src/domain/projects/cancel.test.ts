import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { type TestChecker, testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let work: TestChecker;
let account: string;
beforeEach(async () => {
  work = testChecker(store);
  account = await store.account(100);
});
afterEach(async () => {
  expect(await store.problems()).toEqual([]);
  expect(work.troubles).toEqual([]);
});

async function cancel(project: ProjectRow, positions: number[] | null) {
  const { db, clock } = store;
  const now = await store.reload(project);
  return db.tx((tx) => cancelLinks(tx, now, positions, { service: clock.service(), now: clock.now() }));
}

const statuses = async (project: ProjectRow) => (await store.links(project)).map(({ link }) => link.state);

/** Leases the due steps, as a worker does that then thinks for a long time. */
const lease = () => {
  const [now, dueBy] = [store.clock.now(), store.clock.service()];
  const claim = { priority: 1, dueBy, now, lease: randomUUID(), leaseUntil: now + MINUTE, limit: 10 };
  return store.db.claimSteps(claim);
};

test("every unsent link: credits are returned, the project is completed, and nothing is ever sent", async () => {
  const project = await store.index(account, pages(30), { mode: "instant", bing: true });
  expect(await cancel(project, null)).toEqual({ cancelled: 30, returned: 90 });
  expect(await cancel(project, null)).toEqual({ cancelled: 0, returned: 0 });
  expect(await store.reload(project)).toMatchObject({
    status: "completed",
    failed: 30,
    waiting: 0,
    creditsReturned: 90,
  });
  expect(await store.balance(account)).toBe(100);
  expect(await store.db.q.select().from(store.db.t.steps)).toEqual([]);
});

test("an empty list, and links already sent: nothing changes", async () => {
  const project = await store.index(account, pages(3, "never"));
  expect(await cancel(project, [])).toEqual({ cancelled: 0, returned: 0 });
  await work.until(store.clock.service());
  expect(await cancel(project, [0, 1, 2])).toEqual({ cancelled: 0, returned: 0 });
  expect(await statuses(project)).toEqual(["checking", "checking", "checking"]);
});

test("some links, cancelled twice: credits are returned once, and the other links go on in every lane", async () => {
  const project = await store.index(account, pages(6, "hour"), { mode: "instant", bing: true });
  expect(await cancel(project, [1, 4])).toEqual({ cancelled: 2, returned: 6 });
  expect(await cancel(project, [0, 1, 4])).toEqual({ cancelled: 1, returned: 3 });
  await work.until(store.clock.service());
  expect(await statuses(project)).toEqual(["failed", "failed", "checking", "checking", "failed", "checking"]);
  const links = await store.links(project);
  expect(links.map(({ deliveries }) => [deliveries.google !== null, deliveries.bing !== null])).toEqual(
    [false, false, true, true, false, true].map((sent) => [sent, sent]),
  );
  expect(await store.ledger(account)).toEqual([
    ["purchase", 100],
    ["spend", -18],
    ["return", 6],
    ["return", 3],
  ]);
});

test("a link in a leased step is marked, and dropped before the call; its credits are returned then", async () => {
  const project = await store.index(account, pages(4, "never"));
  expect(await lease()).toHaveLength(1);
  expect(await cancel(project, [2])).toEqual({ cancelled: 0, returned: 0 });
  expect(await statuses(project)).toEqual(Array(4).fill("waiting"));
  expect(await store.balance(account)).toBe(96);
  store.clock.pass(MINUTE);
  await work.checker.drain();
  expect(await statuses(project)).toEqual(["checking", "checking", "failed", "checking"]);
  const [, , link] = await store.links(project);
  expect([link!.link.error, link!.deliveries.google]).toEqual(["cancelled", null]);
  expect(await store.balance(account)).toBe(97);
});

test("every link of a leased step: the step ends without a call, and the project is completed", async () => {
  const project = await store.index(account, pages(4, "never"));
  await lease();
  await cancel(project, null);
  store.clock.pass(MINUTE);
  await work.checker.drain();
  expect(await store.reload(project)).toMatchObject({ status: "completed", failed: 4, creditsReturned: 4 });
  expect(await store.db.q.select().from(store.db.t.deliveries)).toEqual([]);
  expect(await store.balance(account)).toBe(100);
});

test("a drip: links due later are cancelled, links already sent go on", async () => {
  const project = await store.index(account, pages(6, "day_4"), { dripDays: 3 });
  await work.until(store.clock.service() + 12 * HOUR);
  expect(await cancel(project, null)).toEqual({ cancelled: 4, returned: 4 });
  expect(await store.reload(project)).toMatchObject({ status: "active", checking: 2, failed: 4 });
  await work.until(store.clock.service() + 15 * DAY);
  expect(await store.reload(project)).toMatchObject({ status: "completed", indexed: 2, creditsReturned: 4 });
});

test.each([
  // [links, never answered, cancelled before the first look, credits spent, returned]
  [1, 0, 0, 1, 0],
  [1, 1, 0, 1, 1],
  [10, 1, 0, 1, 0],
  [11, 1, 0, 2, 1],
  [11, 0, 1, 2, 1],
  [21, 0, 0, 3, 0],
  [21, 2, 9, 3, 2],
  [25, 4, 0, 3, 0],
  [25, 5, 0, 3, 1],
  [30, 30, 0, 3, 3],
  [30, 0, 30, 3, 3],
])(
  "a check of %i links, %i never answered, %i cancelled: %i spent, %i back, booked once",
  async (n, silent, cancelled, spent, back) => {
    const urls = [...pages(silent, "silent"), ...pages(n - silent, "hour")];
    const project = await store.check(account, urls);
    expect(project.creditsSpent).toBe(spent);
    if (cancelled > 0) {
      const positions = Array.from({ length: cancelled }, (_, i) => n - 1 - i);
      // Cancelling the last of them completes the project, and so books its return.
      expect(await cancel(project, positions)).toEqual({ cancelled, returned: cancelled === n ? back : 0 });
    }
    await work.until(store.clock.service() + 2 * DAY);
    const ended = { status: "completed", failed: silent + cancelled, indexed: n - silent - cancelled };
    expect(await store.reload(project)).toMatchObject({ ...ended, creditsReturned: back });
    const returns = (await store.ledger(account)).filter(([kind]) => kind === "return");
    expect(returns).toEqual(back === 0 ? [] : [["return", back]]);
  },
);
