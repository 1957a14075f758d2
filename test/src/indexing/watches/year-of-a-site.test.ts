import { asc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { SeededRandom } from "../../../support/nodes/seeded-random.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { SimulatedSite } from "../../../support/watches/simulated-site.ts";
import { pagesOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

/** Credits that the watch may spend in a month. */
const MONTH = 60;

/**
 * What an observer sees who knows the site and the projects, and nothing of how a watch works.
 * @returns the URLs of all projects, in the order of submission
 */
async function observe(account: string): Promise<{ urls: string[]; months: Map<string, number> }> {
  const { projects, links } = t.db.t;
  const rows = await t.db.q.select().from(projects).where(eq(projects.accountId, account)).orderBy(asc(projects.no));
  const months = new Map<string, number>();
  for (const { createdAt, creditsSpent } of rows) {
    const month = new Date(createdAt).toISOString().slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + creditsSpent);
  }
  const urls = (await t.db.q.select({ url: links.url }).from(links).orderBy(asc(links.id))).map(({ url }) => url);
  return { urls, months };
}

describe.each([1, 2])("a year of a site, seed %i", (seed) => {
  test("every new page is submitted once, none twice, none of mishaps, and no month costs more than it may", async () => {
    const random = new SeededRandom(seed);
    const account = await t.account(5_000);
    const before = pagesOf(120).map(({ url }) => url);
    const site = new SimulatedSite(t.site, SITEMAP, { pages: before, random });
    const watch = await t.watch(account, { every: "day", creditsPerMonth: MONTH, mostPerRun: 20 });
    site.live(t.clock.service(), true);
    await t.watcher.drain();
    const mishaps = new Set<string | null>();
    for (let day = 0; day < 365; day++) {
      t.clock.pass(DAY);
      mishaps.add(site.live(t.clock.service()));
      await t.watcher.drain();
      // Some days have a second run, by a deployment.
      if (random.between(0, 9) === 0) await t.run(watch);
    }
    expect(mishaps.size).toBe(11);
    // Good days, in which what waits is taken; a month may be used up.
    for (let day = 0; day < 120; day++) {
      t.clock.pass(DAY + (day % 5) * HOUR);
      site.live(t.clock.service(), true);
      await t.watcher.drain();
    }
    const { urls, months } = await observe(account);
    const isOld = new Set(before);
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.filter((url) => isOld.has(url))).toEqual([]);
    expect(urls.filter((url) => !/^https:\/\/example\.com\/posts\/\d+$/.test(url))).toEqual([]);
    const wanted = site.pages.filter((url) => !isOld.has(url));
    expect(wanted.filter((url) => !urls.includes(url))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(300);
    for (const credits of months.values()) expect(credits).toBeLessThanOrEqual(MONTH);
    expect(Math.max(...months.values())).toBe(MONTH);
    expect(await t.balance(account)).toBe(5_000 - urls.length);
    expect(t.errors).toEqual([]);
    expect(await t.reload(watch)).toMatchObject({ status: "active", waiting: 0, pages: site.pages.length });
  });
});
