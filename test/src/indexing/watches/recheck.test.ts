import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY } from "../../../../src/platform/clock.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

const PAGES = Array.from({ length: 12 }, (_, at) => ({ url: `https://example.com/${at}?sandbox=indexed` }));

/** A watch whose twelve pages are submitted, and then looked up in the sandbox until they are indexed. */
async function indexedWatch(change: Parameters<typeof t.watch>[1]) {
  const account = await t.account(100);
  t.site.serve(SITEMAP, sitemapOf(PAGES));
  const watch = await t.watch(account, { firstRun: "submit", recheck: "month", ...change });
  await t.watcher.drain();
  await testChecker(t).until(t.clock.service() + 20 * DAY);
  return { account, watch };
}

/** URLs that were found, in the order of submission. */
async function indexedUrls(): Promise<string[]> {
  const { links } = t.db.t;
  const rows = await t.db.q.select().from(links).where(eq(links.state, "indexed")).orderBy(links.id);
  return [...new Set(rows.map(({ url }) => url))];
}

async function checks() {
  const { projects } = t.db.t;
  return t.db.q.select().from(projects).where(eq(projects.kind, "check")).orderBy(projects.no);
}

test("indexed pages are looked up again each month, at the price of a check, and drops are told", async () => {
  const { account, watch } = await indexedWatch({});
  const indexed = await indexedUrls();
  expect(indexed.length).toBeGreaterThan(5);
  const cost = Math.ceil(indexed.length / 10);
  await t.watcher.drain();
  expect(await checks()).toEqual([]);
  t.clock.pass(15 * DAY);
  await t.watcher.drain();
  expect(await checks()).toMatchObject([{ total: indexed.length, creditsSpent: cost }]);
  expect(await t.reload(watch)).toMatchObject({ spentThisMonth: cost });
  const [check] = await checks();
  const { links, projects, steps } = t.db.t;
  // As the checker leaves it when two clean looks have not found one of the pages.
  await t.db.tx(async (tx) => {
    await tx.q.delete(steps).where(eq(steps.projectNo, check!.no));
    await tx.q.update(projects).set({ status: "completed" }).where(eq(projects.no, check!.no));
    const first = await tx.q.select().from(links).where(eq(links.url, indexed[3]!)).orderBy(links.id);
    await tx.q
      .update(links)
      .set({ state: "not_indexed" })
      .where(eq(links.id, first.at(-1)!.id));
  });
  t.clock.pass(2 * DAY);
  await t.watcher.drain();
  const dropped = (await t.events(account)).filter(({ type }) => type === "links.dropped");
  expect(dropped.map(({ data }) => data)).toMatchObject([{ count: 1, reasons: { dropped: 1 } }]);
  expect(dropped[0]!.data.links[0]).toMatch(/^lnk_\w{13}_\d+$/);
  expect(await t.reload(watch)).toMatchObject({ recheckProject: null });
  expect(t.errors).toEqual([]);
});

test("the month's credits bound what is looked up again, and with stop_when_indexed a page is found once", async () => {
  const { watch } = await indexedWatch({ creditsPerMonth: 13, stopWhenIndexed: true });
  const indexed = await indexedUrls();
  for (let month = 0; month < 3; month++) {
    t.clock.pass(31 * DAY);
    await t.watcher.drain();
    await testChecker(t).until(t.clock.service() + 3 * DAY);
    await t.watcher.drain();
  }
  expect((await checks()).map(({ total }) => total)).toEqual([indexed.length]);
  expect((await t.reload(watch)).spentThisMonth).toBeLessThanOrEqual(13);
  expect(await t.problems()).toEqual([]);
});
