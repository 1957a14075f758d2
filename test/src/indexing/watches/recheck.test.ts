import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { estimateOf } from "../../../../src/domain/watches/estimate.ts";
import type { WatchRow } from "../../../../src/domain/watches/rows.ts";
import type { Engines } from "../../../../src/indexing/engines/engine.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

const pages = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}?sandbox=hour`, lastmod: "2020-01-01" }));

/** Pages that Google has dropped, and why each refuses indexing; null: it does not. */
const dropped = new Map<string, "noindex" | null>();

function withDrops(sandbox: Engines): Engines {
  return {
    ...sandbox,
    verifier: {
      async check(batch) {
        const found = await sandbox.verifier.check(batch);
        const counts = { queries: 2, results: 0, matches: 0 };
        const gone = { result: "not_indexed", reason: "no_match", available: true, counts } as const;
        return found.map((one, at) => (dropped.has(batch.links[at]!.url) ? { ...one, ...gone } : one));
      },
    },
    pages: { check: async (urls) => urls.map((url) => ({ refusal: dropped.get(url) ?? null, warnings: [] })) },
  };
}

/** A watch whose pages are submitted, and then looked up in the sandbox until their project is completed. */
async function indexedWatch(count: number, change: Parameters<typeof t.watch>[1]) {
  dropped.clear();
  const account = await t.account(1_000);
  t.site.serve(SITEMAP, sitemapOf(pages(count)));
  const watch = await t.watch(account, { firstRun: "submit", recheck: "month", ...change });
  await t.watcher.drain();
  const checker = testChecker(t, withDrops);
  await checker.until(t.clock.service() + 15 * DAY);
  await t.watcher.drain();
  /** Lets days pass, and then the check that a run has made for them. */
  const pass = async (days: number) => {
    await checker.until(t.clock.service() + days * DAY);
    await t.watcher.drain();
    await checker.until(t.clock.service() + 3 * DAY);
    await t.watcher.drain();
  };
  return { account, watch, checker, pass };
}

async function checks() {
  const { projects } = t.db.t;
  return t.db.q.select().from(projects).where(eq(projects.kind, "check")).orderBy(projects.no);
}

const urlsOf = async (at: number) => (await t.links((await checks())[at]!)).map(({ link }) => link.url);

async function drops(accountId: string) {
  const events = await t.events(accountId);
  return events.filter(({ type }) => type === "links.dropped").map(({ data }) => data);
}

const estimate = async (watch: WatchRow) => estimateOf(await t.reload(watch));

test("indexed pages are checked again each month, at the price of a check, and a drop is reported once after two clean checks", async () => {
  const { account, watch, checker, pass } = await indexedWatch(12, {});
  expect(await checks()).toEqual([]);
  await checker.until(t.clock.service() + 16 * DAY);
  dropped.set(pages(12)[3]!.url, null).set(pages(12)[5]!.url, "noindex");
  await t.watcher.drain();
  expect(await checks()).toMatchObject([{ total: 12, creditsSpent: 2, status: "active" }]);
  expect(await t.reload(watch)).toMatchObject({ spentThisMonth: 2 });
  // After the first look nothing is certain.
  await checker.until(t.clock.service() + 20 * MINUTE);
  expect(await checks()).toMatchObject([{ status: "active", indexed: 10, checking: 2 }]);
  await checker.until(t.clock.service() + 2 * DAY);
  await t.watcher.drain();
  expect(await drops(account)).toMatchObject([{ count: 2, reasons: { dropped: 1, noindex: 1 } }]);
  expect((await drops(account))[0].links[0]).toMatch(/^lnk_\w{13}_3$/);
  // Each look is evidence of its check; the page was read after the second one.
  const { observations } = t.db.t;
  const seen = await t.db.q
    .select()
    .from(observations)
    .where(eq(observations.projectNo, (await checks())[0]!.no));
  const reasons = seen.filter(({ result }) => result === "not_indexed").map(({ reason }) => reason);
  expect(reasons).toEqual(["no_match", "no_match", "noindex"]);
  // What stays away is told once; what came back and went again is told again.
  await pass(31);
  expect(await drops(account)).toHaveLength(1);
  dropped.delete(pages(12)[3]!.url);
  await pass(31);
  dropped.set(pages(12)[3]!.url, null);
  await pass(31);
  expect(await drops(account)).toMatchObject([{ count: 2 }, { count: 1, reasons: { dropped: 1 } }]);
  expect(await t.reload(watch)).toMatchObject({ recheckProject: null });
  expect(t.errors).toEqual([]);
  expect(await t.problems()).toEqual([]);
});

test("too few credits for a month reach each page in turn, the page that was checked longest ago first", async () => {
  const { watch, pass } = await indexedWatch(30, { creditsPerMonth: 30 });
  await t.watch(watch.accountId, { creditsPerMonth: 1 });
  for (let month = 0; month < 4; month++) await pass(31);
  const urls = pages(30).map(({ url }) => url);
  expect(await urlsOf(0)).toEqual(urls.slice(0, 10));
  expect(await urlsOf(1)).toEqual(urls.slice(10, 20));
  expect(await urlsOf(2)).toEqual(urls.slice(20));
  expect(await urlsOf(3)).toEqual(urls.slice(0, 10));
  // Weekly looks wait for the credits of the next month, and no longer.
  await t.watch(watch.accountId, { recheck: "week" });
  for (let week = 0; week < 6; week++) await pass(7);
  const months = (await checks()).map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 7));
  expect(months.length).toBeGreaterThan(4);
  expect(new Set(months).size).toBe(months.length);
  expect(await t.problems()).toEqual([]);
});

test("rechecks are part of the estimated cost of a month", async () => {
  const { account, watch, pass } = await indexedWatch(95, { creditsPerMonth: 1_000, recheck: "off" });
  const without = (await estimate(watch))!;
  await t.watch(account, { recheck: "month" });
  expect(await estimate(watch)).toBe(without + 10);
  await t.watch(account, { recheck: "week" });
  expect(await estimate(watch)).toBe(without + Math.ceil((10 * 30) / 7));
  await t.watch(account, { creditsPerMonth: without + 3 });
  expect(await estimate(watch)).toBe(without + 3);
  await t.watch(account, { creditsPerMonth: 1_000, stopWhenIndexed: true });
  await pass(8);
  await pass(1);
  // All were found, and none is looked up any more.
  expect(await estimate(watch)).toBe(without);
  expect(await checks()).toHaveLength(1);
  expect(await t.problems()).toEqual([]);
});

test("pages that their own project still checks are left to it, and with stop_when_indexed a page is found once", async () => {
  const { checker, pass } = await indexedWatch(12, { creditsPerMonth: 20, stopWhenIndexed: true });
  t.site.serve(SITEMAP, sitemapOf(pages(14)));
  await checker.until(t.clock.service() + 14 * DAY);
  await t.watcher.drain();
  await checker.until(t.clock.service() + 2 * DAY);
  await t.watcher.drain();
  // The two new pages are indexed after an hour, and looked up on day 4 and 14 anyway.
  for (let month = 0; month < 3; month++) await pass(31);
  expect((await checks()).map(({ total }) => total)).toEqual([12, 2]);
  expect(await t.problems()).toEqual([]);
});

test("a weekly watch checks each week, and reports a drop when its check is over, not with its next run", async () => {
  const { account, watch, checker } = await indexedWatch(12, { every: "week", recheck: "week", creditsPerMonth: 100 });
  dropped.set(pages(12)[3]!.url, null);
  const heard: number[] = [];
  for (let day = 0; day < 29; day++) {
    await checker.until(t.clock.service() + DAY);
    await t.watcher.drain();
    heard.push((await drops(account)).length);
  }
  const made = (await checks()).map(({ createdAt }) => createdAt);
  expect(made.length).toBeGreaterThanOrEqual(4);
  for (const [at, time] of made.slice(1).entries()) expect(time - made[at]!).toBeLessThanOrEqual(8 * DAY);
  const told = heard.findIndex((count) => count > 0);
  // At most a week until the check, and two days in which it looks twice.
  expect(told).not.toBe(-1);
  expect(told).toBeLessThanOrEqual(10);
  expect((await t.reload(watch)).runs).toBeGreaterThan(made.length);
  expect(await t.problems()).toEqual([]);
});
