import { describe, expect, test } from "vitest";
import { pauseAll, resumeAll } from "../../../../src/domain/watches/pause.ts";
import { beginReading } from "../../../../src/domain/watches/readings.ts";
import type { WatchRow } from "../../../../src/domain/watches/rows.ts";
import { INTERVALS } from "../../../../src/domain/watches/settings.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { SeededRandom } from "../../../support/nodes/seeded-random.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { pagesOf, sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

const reads = () => t.site.full + t.site.notModified;

const CHANGES: Record<string, (account: string, step: number) => Promise<unknown>> = {
  "has its interval changed": (account, step) => t.watch(account, { every: INTERVALS[step % 3]! }),
  "is paused and made active": async (account) => {
    await t.watch(account, { status: "paused" });
    await t.watch(account, { status: "active" });
  },
  "is stopped and made active": async (account) => {
    await t.watch(account, { status: "stopped" });
    await t.watch(account, { status: "active" });
  },
  "is made active, changed and paused in turns": (account, step) =>
    t.watch(account, step % 2 === 0 ? { status: "active", every: INTERVALS[step % 3]! } : { status: "paused" }),
  "is paused by a deletion that is called off": async (account) => {
    await t.db.tx((tx) => pauseAll(tx, account, "account_deletion", t.clock.now()));
    await t.db.tx((tx) => resumeAll(tx, account, "account_deletion", t.clock.service()));
  },
};

describe("law: a sitemap is read once in an hour, and at most once more by its schedule, when its watch", () => {
  test.each(Object.entries(CHANGES))("%s every minute", async (_, change) => {
    const account = await t.account(100);
    t.site.serve(SITEMAP, sitemapOf(pagesOf(3)));
    await t.watch(account, { every: "hour" });
    await t.watcher.drain();
    expect(reads()).toBe(1);
    for (let step = 0; step < 59; step++) {
      await change(account, step);
      await t.watcher.drain();
      t.clock.pass(MINUTE);
    }
    expect(reads()).toBeLessThanOrEqual(2);
    t.clock.pass(HOUR);
    await t.watch(account, { status: "active", every: "week" });
    await t.watch(account, { every: "hour" });
    await t.watcher.drain();
    expect(reads()).toBeGreaterThanOrEqual(2);
  });
});

test("law: a watch that was never read is read at once, and one that was changed a day after its last reading, too", async () => {
  const account = await t.account(100);
  t.site.serve(SITEMAP, sitemapOf(pagesOf(3)));
  const watch = await t.watch(account, { every: "week" });
  expect(watch.nextRunAt).toBe(t.clock.service());
  await t.watcher.drain();
  await t.watch(account, { status: "paused" });
  t.clock.pass(24 * HOUR);
  expect((await t.watch(account, { status: "active" })).nextRunAt).toBe(t.clock.service());
});

test("law: a kill between the claim and the reading lets no change bring the reading forward", async () => {
  const account = await t.account(100);
  const watch = await t.watch(account, { every: "hour" });
  // The sitemap cannot be read, and the run is not written.
  t.site.http.fetchPublic = () => Promise.reject(new Error("killed"));
  await t.watcher.drain();
  t.errors.length = 0;
  expect((await t.reload(watch)).readAt).toBe(t.clock.service());
  expect((await t.watch(account, { every: "day" })).nextRunAt).toBe(t.clock.service() + HOUR);
});

test("law: no history of making, stopping, changing and running watches reads a host more often than the limit says", async () => {
  const account = await t.account(100);
  const random = new SeededRandom(44);
  const urls = Array.from({ length: 40 }, (_, no) => `https://example.com/sitemap.xml?${no}`);
  for (const url of urls) t.site.serve(url, sitemapOf(pagesOf(3)));
  const made = new Map<string, WatchRow>();
  const byWindow = new Map<number, number>();
  const act = async () => {
    const url = random.pick(urls);
    const row = made.get(url);
    const status = random.pick(["active", "active", "paused", "stopped"] as const);
    if (!row || random.between(0, 2) > 0)
      made.set(url, await t.watch(account, { status, every: random.pick(INTERVALS) }, url));
    // As run_watch does.
    else if (await mayRead(row)) await t.run(row);
  };
  const mayRead = (row: WatchRow) =>
    beginReading(t.db, row, t.clock.service()).then(
      () => true,
      () => false,
    );
  for (let step = 0; step < 200; step++) {
    const before = reads();
    await act();
    await t.watcher.drain();
    const window = Math.floor(t.clock.service() / (10 * MINUTE));
    byWindow.set(window, (byWindow.get(window) ?? 0) + reads() - before);
    t.clock.pass(random.between(1, 20) * SECOND);
  }
  const { count } = LIMITS.watch_reads;
  expect(Math.max(...byWindow.values())).toBe(count);
  expect(t.errors).toEqual([]);
});

test("law: the bound of one host and one account is no other's, and what waits is read when it is over", async () => {
  const accounts = [await t.account(100), await t.account(100)];
  const urls = Array.from({ length: 25 }, (_, no) => `https://example.com/sitemap.xml?${no}`);
  for (const url of [...urls, "https://example.org/sitemap.xml"]) t.site.serve(url, sitemapOf(pagesOf(3)));
  for (const url of urls) await t.watch(accounts[0]!, {}, url);
  await t.watch(accounts[0]!, {}, "https://example.org/sitemap.xml");
  await t.watch(accounts[1]!, {}, urls[0]!);
  const wereRead = async () => (await t.db.q.select().from(t.db.t.watches)).filter(({ runs }) => runs > 0).length;
  await t.watcher.drain();
  expect(reads()).toBe(LIMITS.watch_reads.count + 2);
  expect(await wereRead()).toBe(LIMITS.watch_reads.count + 2);
  t.clock.pass(10 * MINUTE);
  // A watch whose own time of the day has come is read a second time, too.
  await t.watcher.drain();
  expect(await wereRead()).toBe(urls.length + 2);
});
