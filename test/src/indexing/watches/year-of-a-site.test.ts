import { asc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { runsOf } from "../../../support/checks/fuzz-runs.ts";
import { SeededRandom } from "../../../support/nodes/seeded-random.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { SimulatedSite, type SiteStart } from "../../../support/watches/simulated-site.ts";
import SHAPES from "../../../support/watches/site-shapes.json" with { type: "json" };
import {
  Addresses,
  realSitemaps,
  realSitemapsFolder,
  type SiteShape,
  shapeOf,
} from "../../../support/watches/site-shapes.ts";
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

/** The case of an escape makes no other address (RFC 3986 section 6.2.2.1). */
const upper = (url: string) => url.replace(/%[\da-f]{2}/gi, (triplet) => triplet.toUpperCase());

/** Pages that a site has before it is watched, at most. */
const BEFORE = 150;

interface Case {
  readonly name: string;
  readonly shape: SiteShape;
  /** Addresses of the real site that it is made from; none: they are made up. */
  readonly real: readonly string[];
}

/** A site of each way to date pages. */
function cases(): Case[] {
  const folder = realSitemapsFolder();
  const real = folder === null ? [] : [...realSitemaps(folder)];
  return (["own", "none", "build"] as const).map((dating) => {
    const [found] = real.filter(([, pages]) => shapeOf(pages).dating === dating);
    if (found) return { name: found[0], shape: shapeOf(found[1]), real: found[1].map(({ url }) => url) };
    const shape = (SHAPES as readonly SiteShape[]).find((each) => each.dating === dating)!;
    return { name: `a generated site, as no real sitemap is here (${dating})`, shape, real: [] };
  });
}

/** Part of a real site, in which the rest of it is written in the year, and then pages like its own. */
function startOf({ shape, real }: Case, random: SeededRandom): SiteStart {
  const addresses = new Addresses(shape, random);
  const drawn = real.map((url) => [random.next(), url] as const).sort(([a], [b]) => a - b);
  const urls = drawn.map(([, url]) => url);
  const next = () => urls.pop() ?? addresses.next();
  const pages = Array.from({ length: Math.min(BEFORE, urls.length === 0 ? BEFORE : Math.ceil(urls.length / 2)) }, next);
  return { pages, shape, next };
}

/** Half a year has each mishap, too. */
const DAYS = runsOf({ usually: 180, deep: 365 });

describe.each(cases().map((one, at) => ({ ...one, seed: at + 1 })))(
  `${DAYS} days of $name, seed $seed`,
  ({ seed, ...one }) => {
    test("every new page is submitted once, none twice, none of mishaps, and no month costs more than it may", {
      timeout: 240_000,
    }, async () => {
      const random = new SeededRandom(seed);
      const account = await t.account(5_000);
      const start = startOf(one, random);
      const born = new Set<string>();
      const next = () => {
        const url = start.next();
        born.add(upper(url));
        return url;
      };
      const site = new SimulatedSite(t.site, SITEMAP, { ...start, next, random });
      // Where every build gives all pages new dates, dates say nothing.
      const changedPages = one.shape.dating === "build" ? "ignore" : "notify";
      const watch = await t.watch(account, { every: "day", creditsPerMonth: MONTH, mostPerRun: 20, changedPages });
      site.live(t.clock.service(), true);
      await t.watcher.drain();
      const mishaps = new Set<string | null>();
      for (let day = 0; day < DAYS; day++) {
        t.clock.pass(DAY);
        mishaps.add(site.live(t.clock.service()));
        await t.watcher.drain();
        // Some days have a second run, by a deployment.
        if (random.between(0, 9) === 0) await t.run(watch);
      }
      expect(mishaps.size).toBeGreaterThan(8);
      // Good days, in which what waits is taken; a month may be used up.
      for (let day = 0; day < DAYS / 3; day++) {
        t.clock.pass(DAY + (day % 5) * HOUR);
        site.live(t.clock.service(), true);
        await t.watcher.drain();
      }
      const { urls, months } = await observe(account);
      expect(new Set(urls).size).toBe(urls.length);
      expect(urls.filter((url) => !born.has(upper(url)))).toEqual([]);
      const submitted = new Set(urls);
      const wanted = site.pages.filter((url) => born.has(upper(url)));
      expect(wanted.filter((url) => !submitted.has(upper(url)))).toEqual([]);
      expect(wanted.length).toBeGreaterThan(0.8 * DAYS);
      for (const credits of months.values()) expect(credits).toBeLessThanOrEqual(MONTH);
      expect(Math.max(...months.values())).toBe(MONTH);
      expect(await t.balance(account)).toBe(5_000 - urls.length);
      expect(await t.problems()).toEqual([]);
      expect(t.errors).toEqual([]);
      expect(await t.reload(watch)).toMatchObject({ status: "active", waiting: 0, pages: site.pages.length });
    });
  },
);
