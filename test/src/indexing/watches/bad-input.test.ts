import { describe, expect, test } from "vitest";
import { commitRun, prepareRun } from "../../../../src/indexing/watches/run-watch.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { ownerPrincipal } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { pagesOf, sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

const serve = (pages: Parameters<typeof sitemapOf>[0]) => t.site.serve(SITEMAP, sitemapOf(pages));
const indexOf = (urls: readonly string[]) =>
  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`;

/** A watch with a first run behind it, which has taken so many pages as known. */
async function watched(pages: number, credits = 10_000, change: Parameters<typeof t.watch>[1] = {}) {
  const account = await t.account(credits);
  serve(pagesOf(pages));
  const watch = await t.watch(account, { mostPerRun: 10_000, ...change });
  await t.run(watch);
  return { account, watch };
}

/** Of each page of a list, how often it was submitted. */
async function timesSubmitted(account: string): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const url of await t.submitted(account)) times.set(url, (times.get(url) ?? 0) + 1);
  return times;
}

describe("a sitemap that alternates between two lists", () => {
  test.each([
    ["of which one is a part of the other", () => pagesOf(25), () => pagesOf(30)],
    ["that share no page", () => pagesOf(19), () => pagesOf(15, undefined, "b.example.com")],
  ])("%s submits each page once", async (_, a, b) => {
    const account = await t.account(1_000);
    serve(a());
    const watch = await t.watch(account, { removedPages: "notify" });
    await t.run(watch);
    for (let day = 0; day < 10; day++) {
      t.clock.pass(DAY);
      serve(day % 2 === 0 ? b() : a());
      await t.run(watch);
    }
    const known = new Set(a().map(({ url }) => url));
    const isNew = b().flatMap(({ url }) => (known.has(url) ? [] : url));
    expect(await timesSubmitted(account)).toEqual(new Map(isNew.map((url) => [url, 1])));
    expect(await t.problems()).toEqual([]);
  });

  test("that share little is held, and costs nothing however long it goes on", async () => {
    const { account, watch } = await watched(100);
    for (let day = 0; day < 6; day++) {
      t.clock.pass(DAY);
      serve(day % 2 === 0 ? pagesOf(100, undefined, "b.example.com") : pagesOf(100));
      await t.run(watch);
    }
    expect(await t.submitted(account)).toEqual([]);
    expect(await t.balance(account)).toBe(10_000);
  });
});

test("a sitemap that doubles every day is held each day, and never passes the month when it is released", async () => {
  const { account, watch } = await watched(50, 10_000, { creditsPerMonth: 1_000 });
  for (let day = 1; day <= 7; day++) {
    t.clock.pass(DAY);
    serve(pagesOf(50 * 2 ** day));
    expect(await t.run(watch)).toMatchObject({ result: "held", reason: "many_new", newPages: 50 * 2 ** (day - 1) });
    await t.run(watch, true);
  }
  const times = await timesSubmitted(account);
  expect([times.size, Math.max(...times.values())]).toEqual([1_000, 1]);
  expect(await t.reload(watch)).toMatchObject({ waiting: 6_400 - 50 - 1_000, spentThisMonth: 1_000 });
  expect(await t.balance(account)).toBe(9_000);
});

describe("a sitemap that is too large", () => {
  async function refused() {
    const { account, watch } = await watched(30);
    const before = await t.reload(watch);
    const children = Array.from({ length: 40 }, (_, file) => `https://example.com/part-${file}.txt`);
    return { account, watch, before, children };
  }

  test("one of 2 million URLs is refused, and changes nothing", async () => {
    const { account, watch, before, children } = await refused();
    for (const [file, url] of children.entries())
      t.site.serve(url, Array.from({ length: 50_000 }, (_, at) => `https://e.com/${file * 50_000 + at}`).join("\n"));
    t.site.serve(SITEMAP, indexOf(children));
    expect(await t.run(watch)).toMatchObject({ result: "failed", reason: "too_large", newPages: 0, removedPages: 0 });
    expect(await t.reload(watch)).toMatchObject({ pages: before.pages, waiting: 0, failures: 1 });
    expect(await t.submitted(account)).toEqual([]);
    serve(pagesOf(31));
    expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 1, samePages: 30, removedPages: 0 });
  });

  test("an index of 501 sitemaps is refused, and patterns let a part of a large one be watched", async () => {
    const { watch } = await refused();
    const children = Array.from({ length: 501 }, (_, file) => `https://example.com/part-${file}.txt`);
    for (const url of children) t.site.serve(url, url.replace(".txt", ""));
    t.site.serve(SITEMAP, indexOf(children));
    expect(await t.run(watch)).toMatchObject({ result: "failed", reason: "too_large" });
    t.site.serve(SITEMAP, indexOf(children.slice(1)));
    await t.watch((await t.reload(watch)).accountId, { include: ["/part-1"] });
    expect(await t.run(watch)).toMatchObject({ result: "done", samePages: 111 });
  });
});

test("a first run of an index waits for a part that cannot be read, but not for ever", async () => {
  const account = await t.account(1_000);
  const children = ["a", "b"].map((name) => `https://example.com/${name}.xml`);
  t.site.serve(SITEMAP, indexOf(children));
  t.site.serve(children[0]!, sitemapOf(pagesOf(60)));
  t.site.fail(children[1]!, 503);
  const watch = await t.watch(account);
  expect(await t.run(watch)).toMatchObject({ result: "failed", reason: "incomplete" });
  t.site.serve(children[1]!, sitemapOf(pagesOf(20, undefined, "b.example.com")));
  expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 0, samePages: 80 });
  expect(await t.submitted(account)).toEqual([]);
  const other = await t.account(1_000);
  t.site.fail(children[1]!, 410);
  const dead = await t.watch(other);
  for (let run = 0; run < 3; run++) expect(await t.run(dead)).toMatchObject({ result: "failed" });
  expect(await t.run(dead)).toMatchObject({ result: "done", samePages: 60 });
});

test("a sitemap that moves host is held; released, its new addresses are submitted once and the old ones are gone", async () => {
  const { account, watch } = await watched(30);
  serve(pagesOf(30, undefined, "new.example.com"));
  expect(await t.run(watch)).toMatchObject({ result: "held", reason: "many_removed", newPages: 30, removedPages: 30 });
  expect(await t.submitted(account)).toEqual([]);
  expect(await t.run(watch, true)).toMatchObject({ result: "done", submitted: 30 });
  expect(await t.run(watch)).toMatchObject({ result: "unchanged", samePages: 30 });
  serve([...pagesOf(30, undefined, "new.example.com"), ...pagesOf(8)]);
  expect(await t.run(watch)).toMatchObject({ submitted: 0 });
  expect(new Set((await timesSubmitted(account)).values())).toEqual(new Set([1]));
});

test("a sitemap that is HTML one day changes nothing, and the next day goes on where it was", async () => {
  const { account, watch } = await watched(30);
  t.site.serve(SITEMAP, "<!doctype html><html><body>Please sign in</body></html>");
  expect(await t.run(watch)).toMatchObject({ result: "failed", reason: "sitemap_invalid" });
  serve(pagesOf(31));
  expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 1, samePages: 30, submitted: 1 });
  expect(await t.submitted(account)).toEqual(["https://example.com/31"]);
});

const BROKEN = [
  ...["", " ", "-", "null", "undefined", "NaN", "never", "0", "-1", "1e9", "99999999999999999999"],
  ...["2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32", "2025-02-29", "2026-W01-1", "2026-001", "26-01-01"],
  ...["2026/01/01", "01.01.2026", "1 January 2026", "20260101", "+002026-01-01", "-2026-01-01", "２０２６-０１-０１"],
  ...["2026-01-01T", "2026-01-01T25:00:00Z", "2026-01-01T10:60:00Z", "2026-01-01T10:00:61Z", "2026-01-01T10Z"],
  ...["2026-01-01T10:00:00+99:00", "2026-01-01T10:00:00.0000000000000Z", "2026-01-01T10:00:00 CET", "2026-01-01Z"],
  ...[
    "Thu, 32 Jan 2026 10:00:00 GMT",
    "Thu, 01 Foo 2026 10:00:00 GMT",
    "Thursday, 1 Jan 2026 10:00:00",
    "1".repeat(5_000),
  ],
  ...["1970-01-01", "0001-01-01", "9999-12-31", "2106-02-08", "2026-01-06T12:00:01Z", "{{ page.date }}", "%Y-%m-%d"],
];

test("a lastmod in every broken form, before 1990 or of the future is no change, and a true one after it is", async () => {
  const account = await t.account(1_000);
  const pages = pagesOf(BROKEN.length, "2020-01-01");
  serve(pages);
  const watch = await t.watch(account, { changedPages: "submit" });
  await t.run(watch);
  serve(pages.map((page, at) => ({ ...page, lastmod: BROKEN[at]! })));
  expect(await t.run(watch)).toMatchObject({ result: "unchanged", changedPages: 0, samePages: BROKEN.length });
  expect(await t.run(watch)).toMatchObject({ result: "unchanged" });
  serve(pages.map((page, at) => ({ ...page, lastmod: at % 3 === 0 ? "2026-01-04" : BROKEN[at]! })));
  const changed = Math.ceil(BROKEN.length / 3);
  expect(await t.run(watch)).toMatchObject({ changedPages: changed, submitted: changed });
});

describe("a clock that changes", () => {
  test("back over the month's turn: the month's credits are not spent twice, and nothing is submitted again", async () => {
    const { account, watch } = await watched(5, 1_000, { creditsPerMonth: 10 });
    t.clock.pass(27 * DAY);
    serve(pagesOf(15));
    await t.run(watch);
    t.clock.pass(-3 * DAY);
    serve(pagesOf(19));
    expect(await t.run(watch)).toMatchObject({ submitted: 0, waiting: 4, reason: "credits_per_month" });
    t.clock.pass(3 * DAY);
    expect(await t.run(watch)).toMatchObject({ submitted: 0, waiting: 4 });
    t.clock.pass(28 * DAY);
    expect(await t.run(watch)).toMatchObject({ submitted: 4, waiting: 0 });
    expect(new Set((await timesSubmitted(account)).values())).toEqual(new Set([1]));
  });

  test("a year ahead and back again: the watch runs at once, not in a year", async () => {
    const { watch } = await watched(5);
    t.clock.pass(365 * DAY);
    expect(await t.watcher.drain()).toBe(1);
    t.clock.pass(-365 * DAY);
    expect(await t.watcher.drain()).toBe(1);
    expect((await t.reload(watch)).nextRunAt! - t.clock.service()).toBeLessThanOrEqual(DAY);
    expect(await t.watcher.drain()).toBe(0);
  });

  test("a lease that a wrong clock has set ends", async () => {
    const { watch } = await watched(5);
    const { watches } = t.db.t;
    await t.db.tx((tx) => tx.q.update(watches).set({ leaseUntil: t.clock.now() + 900 * DAY, nextRunAt: 0 }));
    expect(await t.watcher.drain()).toBe(1);
    expect(await t.reload(watch)).toMatchObject({ leaseUntil: null });
  });
});

test("a watch of a site that is not verified submits new pages, and notifies nobody of changed ones", async () => {
  const account = await t.account(1_000);
  serve(pagesOf(25, "2025-12-01"));
  const watch = await t.watch(account, { removedPages: "notify" });
  await t.run(watch);
  serve([...pagesOf(4, "2026-01-04"), ...pagesOf(26, "2025-12-01").slice(5)]);
  const run = await t.run(watch);
  expect(run).toMatchObject({ newPages: 1, changedPages: 4, removedPages: 1, submitted: 1 });
  await t.watcher.drain();
  t.clock.pass(3 * DAY);
  await t.watcher.drain();
  const all = await t.runs(watch);
  expect(all.find(({ no }) => no === run.no)).toMatchObject({ notified: 0, notifications: null, notifyAt: null });
  expect(t.errors).toEqual([]);
});

test("100 watches of one account run at once within one balance, each page once", async () => {
  const account = await t.account(150);
  for (let at = 0; at < 100; at++) {
    const url = `https://${at}.example.com/sitemap.xml`;
    t.site.serve(url, sitemapOf(pagesOf(3, undefined, `${at}.example.com`)));
    await t.watch(account, { firstRun: "submit" }, url);
  }
  expect(await t.watcher.drain()).toBe(100);
  const times = await timesSubmitted(account);
  expect([times.size, Math.max(...times.values())]).toEqual([150, 1]);
  expect(await t.balance(account)).toBe(0);
  expect(await t.problems()).toEqual([]);
  expect(t.errors).toEqual([]);
});

test("a run over the month's turn spends in the month in which it is written", async () => {
  const { account, watch } = await watched(5, 1_000, { creditsPerMonth: 10 });
  t.clock.pass(26 * DAY + 11 * HOUR);
  serve(pagesOf(13));
  await t.run(watch);
  serve(pagesOf(19));
  const prepared = await prepareRun(t.deps, await t.reload(watch));
  t.clock.pass(2 * HOUR);
  const rest = { principal: await ownerPrincipal(t.db, account), preflight: false, times: t.times() };
  const { run } = await t.db.tx((tx) => commitRun(tx, prepared, rest));
  expect(run).toMatchObject({ submitted: 6, waiting: 0 });
  expect(await t.reload(watch)).toMatchObject({ spentThisMonth: 6 });
});

test("credits that end in mid-run: what they covered is submitted, the rest waits, and nothing is owed", async () => {
  const { account, watch } = await watched(5, 20);
  serve(pagesOf(19));
  const prepared = await prepareRun(t.deps, await t.reload(watch));
  await t.index(
    account,
    Array.from({ length: 13 }, (_, at) => `https://example.org/${at}`),
  );
  const rest = { principal: await ownerPrincipal(t.db, account), preflight: false, times: t.times() };
  const { run } = await t.db.tx((tx) => commitRun(tx, prepared, rest));
  expect(run).toMatchObject({ submitted: 7, waiting: 7, reason: "balance" });
  expect(await t.balance(account)).toBe(0);
  expect(await t.problems()).toEqual([]);
});

test("include patterns that would take exponential time let the event loop turn, and match what they say", async () => {
  const account = await t.account(100);
  const url = (at: number) => `https://example.com/${"a".repeat(4_000)}${at}`;
  serve([...Array.from({ length: 300 }, (_, at) => ({ url: url(at) })), { url: `${url(300)}b` }]);
  const include = Array.from({ length: 50 }, (_, at) => `/${"a*".repeat(at)}${"a".repeat(49 - at)}b$`);
  const watch = await t.watch(account, { include, exclude: [`/*${"a*".repeat(48)}c`] });
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const before = process.cpuUsage().user;
  expect(await t.run(watch)).toMatchObject({ samePages: 1 });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(10);
});
