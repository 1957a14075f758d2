import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { setDisabled } from "../../../../src/domain/accounts/disable.ts";
import { principalOfKey } from "../../../../src/domain/credentials/identify.ts";
import { createKey, revokeKey } from "../../../../src/domain/credentials/keys.ts";
import { setLimits } from "../../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../../src/domain/spending/limits.ts";
import { RunLost } from "../../../../src/domain/watches/commit-run.ts";
import { saveWatch } from "../../../../src/domain/watches/save-watch.ts";
import { commitRun, prepareRun } from "../../../../src/indexing/watches/run-watch.ts";
import { DAY, HOUR, iso, timesOf } from "../../../../src/platform/clock.ts";
import { ownerPrincipal } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { pagesOf, sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

const serve = (pages: Parameters<typeof sitemapOf>[0]) => t.site.serve(SITEMAP, sitemapOf(pages));
const day = (shift = 0) => iso(t.clock.service() + shift * DAY).slice(0, 10);
const urlsFrom = (from: number, to: number) =>
  pagesOf(to)
    .slice(from - 1)
    .map(({ url }) => url);

test("the first run takes all pages as known, and later ones submit what is new, once", async () => {
  const account = await t.account(100);
  serve(pagesOf(5));
  const watch = await t.watch(account);
  expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 0, samePages: 5, submitted: 0 });
  serve(pagesOf(7));
  expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 2, submitted: 2, creditsSpent: 2 });
  serve(pagesOf(6));
  expect(await t.run(watch)).toMatchObject({ result: "done", removedPages: 1, submitted: 0 });
  serve(pagesOf(7));
  expect(await t.run(watch)).toMatchObject({ result: "unchanged", submitted: 0 });
  expect(await t.submitted(account)).toEqual(urlsFrom(6, 7));
  expect(await t.problems()).toEqual([]);
});

test("with first_run submit, all pages are new, and what does not fit waits", async () => {
  const account = await t.account(1_000);
  serve(pagesOf(250));
  const watch = await t.watch(account, { firstRun: "submit" });
  expect(await t.run(watch)).toMatchObject({ newPages: 250, submitted: 100, waiting: 150, reason: "most_per_run" });
  expect(await t.run(watch)).toMatchObject({ newPages: 0, submitted: 100, waiting: 50 });
  expect(await t.run(watch)).toMatchObject({ submitted: 50, waiting: 0, reason: null });
  expect(await t.run(watch)).toMatchObject({ result: "unchanged" });
  expect(await t.submitted(account)).toEqual(urlsFrom(1, 250));
});

test("a page that is a link of the account already is not submitted again", async () => {
  const account = await t.account(100);
  serve(pagesOf(3));
  const watch = await t.watch(account);
  await t.run(watch);
  await t.index(account, urlsFrom(4, 5));
  serve(pagesOf(6));
  expect(await t.run(watch)).toMatchObject({ newPages: 3, submitted: 1 });
  expect(await t.submitted(account)).toEqual([...urlsFrom(4, 5), ...urlsFrom(6, 6)]);
});

describe("the month", () => {
  test("is never passed, and what waits is submitted in the next one, the oldest first", async () => {
    const account = await t.account(1_000);
    serve(pagesOf(3));
    const watch = await t.watch(account, { creditsPerMonth: 10 });
    await t.run(watch);
    serve(pagesOf(11));
    await t.run(watch);
    t.clock.pass(HOUR);
    serve(pagesOf(18));
    expect(await t.run(watch)).toMatchObject({ newPages: 7, submitted: 2, waiting: 5, reason: "credits_per_month" });
    expect(await t.run(watch)).toMatchObject({ submitted: 0, waiting: 5 });
    const told = (await t.events(account)).filter(({ type }) => type === "watch.budget_spent");
    expect(told).toEqual([{ type: "watch.budget_spent", data: expect.objectContaining({ waiting: 5 }) }]);
    t.clock.pass(31 * DAY);
    expect(await t.run(watch)).toMatchObject({ submitted: 5, waiting: 0 });
    expect(await t.reload(watch)).toMatchObject({ spentThisMonth: 5 });
    expect(await t.submitted(account)).toEqual(urlsFrom(4, 18));
  });

  test("what a balance does not cover waits for credits", async () => {
    const account = await t.account(4);
    serve(pagesOf(3));
    const watch = await t.watch(account);
    await t.run(watch);
    serve(pagesOf(9));
    expect(await t.run(watch)).toMatchObject({ submitted: 4, waiting: 2, reason: "balance" });
    expect(await t.balance(account)).toBe(0);
  });
});

describe("what makes no sense is held", () => {
  test.each([
    ["many_removed", () => pagesOf(28)],
    ["many_new", () => pagesOf(61)],
  ])("%s, until it is released", async (reason, next) => {
    const account = await t.account(1_000);
    serve(pagesOf(40));
    const watch = await t.watch(account);
    await t.run(watch);
    serve(next());
    expect(await t.run(watch)).toMatchObject({ result: "held", reason, submitted: 0 });
    expect(await t.run(watch)).toMatchObject({ result: "held", reason });
    expect(await t.reload(watch)).toMatchObject({ status: "held", reason });
    expect((await t.events(account)).filter(({ type }) => type === "watch.held")).toHaveLength(1);
    expect(await t.run(watch, true)).toMatchObject({ result: "done" });
    expect(await t.reload(watch)).toMatchObject({ status: "active", reason: null });
    expect(await t.run(watch)).toMatchObject({ result: "unchanged" });
  });

  test("a date that a build sets on every page", async () => {
    const account = await t.account(1_000);
    serve(pagesOf(40, day(-2)));
    const watch = await t.watch(account, { changedPages: "submit" });
    await t.run(watch);
    serve(pagesOf(40, day(-1)));
    expect(await t.run(watch)).toMatchObject({ result: "held", reason: "many_changed", changedPages: 40 });
    await t.watch(account, { changedPages: "ignore" });
    expect(await t.run(watch)).toMatchObject({ result: "done", submitted: 0 });
  });

  test("a held watch goes on by itself when the sitemap is as it was", async () => {
    const account = await t.account(1_000);
    serve(pagesOf(40));
    const watch = await t.watch(account);
    await t.run(watch);
    serve(pagesOf(3));
    await t.run(watch);
    serve(pagesOf(41));
    expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 1, submitted: 1, removedPages: 0 });
    expect(await t.reload(watch)).toMatchObject({ status: "active" });
  });

  test("fewer than 20 known pages may change as they like", async () => {
    const account = await t.account(1_000);
    serve(pagesOf(19));
    const watch = await t.watch(account);
    await t.run(watch);
    serve(pagesOf(60));
    expect(await t.run(watch)).toMatchObject({ result: "done", submitted: 41 });
  });
});

describe("a date", () => {
  test.each([
    ["that is later", -3, -1, 1],
    ["that goes back", -1, -3, 0],
    ["of the future", -3, 5, 0],
    ["that stays", -1, -1, 0],
  ])("%s", async (_, before, after, changed) => {
    const account = await t.account(100);
    const pages = pagesOf(5, day(before));
    serve(pages);
    const watch = await t.watch(account, { changedPages: "submit" });
    await t.run(watch);
    serve([{ ...pages[0]!, lastmod: day(after) }, ...pages.slice(1)]);
    expect(await t.run(watch)).toMatchObject({ changedPages: changed, submitted: changed });
    expect(await t.run(watch)).toMatchObject({ result: "unchanged", submitted: 0 });
  });

  test.each(["yesterday", "2026-02-30", "0000-00-00", "12/31/2025", "2026-1-1", "1767225600", "<b>2026-01-01</b>"])(
    "%s is none",
    async (lastmod) => {
      const account = await t.account(100);
      const pages = pagesOf(5, "2020-01-01");
      serve(pages);
      const watch = await t.watch(account, { changedPages: "submit" });
      await t.run(watch);
      serve([{ ...pages[0]!, lastmod }, ...pages.slice(1)]);
      expect(await t.run(watch)).toMatchObject({ result: "unchanged" });
    },
  );
});

describe("a sitemap that fails changes nothing", () => {
  test.each([
    ["HTML", () => t.site.serve(SITEMAP, "<!doctype html><html><body>Sign in</body></html>"), "sitemap_invalid"],
    ["503", () => t.site.fail(SITEMAP, 503), "http_503"],
    ["no page", () => serve([]), "no_pages"],
    ["half a document", () => t.site.serve(SITEMAP, sitemapOf(pagesOf(30)).slice(0, 900)), "sitemap_invalid"],
  ])("%s", async (_, fail, reason) => {
    const account = await t.account(100);
    serve(pagesOf(30));
    const watch = await t.watch(account);
    await t.run(watch);
    fail();
    for (let times = 0; times < 4; times++) expect(await t.run(watch)).toMatchObject({ result: "failed", reason });
    const failing = (await t.events(account)).filter(({ type }) => type === "watch.failing");
    expect(failing.map(({ data }) => data)).toMatchObject([{ failures: 3, reason }]);
    serve(pagesOf(31));
    expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 1, samePages: 30, submitted: 1 });
    expect(await t.reload(watch)).toMatchObject({ failures: 0, status: "active" });
  });

  test("an index with a sitemap that cannot be read: nothing counts as removed", async () => {
    const account = await t.account(100);
    const [a, b] = ["https://example.com/a.xml", "https://example.com/b.xml"];
    const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${a}</loc></sitemap><sitemap><loc>${b}</loc></sitemap></sitemapindex>`;
    t.site.serve(SITEMAP, index);
    t.site.serve(a, sitemapOf(pagesOf(10)));
    t.site.serve(b, sitemapOf(pagesOf(20, undefined, "b.example.com")));
    const watch = await t.watch(account);
    expect(await t.run(watch)).toMatchObject({ samePages: 30 });
    t.site.fail(b, 500);
    t.site.serve(a, sitemapOf(pagesOf(11)));
    expect(await t.run(watch)).toMatchObject({ result: "done", newPages: 1, removedPages: 0, submitted: 1 });
  });
});

describe("politeness", () => {
  test("what has not changed is not sent again, and costs one request", async () => {
    const account = await t.account(100);
    serve(pagesOf(30));
    const watch = await t.watch(account);
    await t.run(watch);
    await t.run(watch);
    await t.run(watch);
    expect([t.site.full, t.site.notModified]).toEqual([1, 2]);
    expect((await t.runs(watch)).map(({ result }) => result)).toEqual(["done", "unchanged"]);
  });

  test("of an index, all documents are asked", async () => {
    const account = await t.account(100);
    const child = "https://example.com/a.xml";
    t.site.serve(
      SITEMAP,
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${child}</loc></sitemap></sitemapindex>`,
    );
    t.site.serve(child, sitemapOf(pagesOf(3)));
    const watch = await t.watch(account);
    await t.run(watch);
    await t.run(watch);
    expect([t.site.full, t.site.notModified]).toEqual([2, 2]);
    t.site.serve(child, sitemapOf(pagesOf(4)));
    expect(await t.run(watch)).toMatchObject({ newPages: 1, submitted: 1 });
  });

  test("pages that wait are found again in a sitemap that has not changed", async () => {
    const account = await t.account(100);
    serve(pagesOf(30));
    const watch = await t.watch(account, { firstRun: "submit", mostPerRun: 20 });
    await t.run(watch);
    expect(await t.run(watch)).toMatchObject({ submitted: 10, waiting: 0 });
  });
});

describe("patterns", () => {
  test("include and exclude say which pages are watched, and new patterns start the watch again", async () => {
    const account = await t.account(100);
    const urls = ["/blog/1", "/blog/draft/2", "/shop/3", "/blog/4.pdf"].map((path) => ({
      url: `https://example.com${path}`,
    }));
    serve(urls);
    const watch = await t.watch(account, {
      include: ["/blog/"],
      exclude: ["/blog/draft", "*.pdf$"],
      firstRun: "submit",
    });
    await t.run(watch);
    expect(await t.submitted(account)).toEqual(["https://example.com/blog/1"]);
    await t.watch(account, { include: [], exclude: [] });
    expect(await t.run(watch)).toMatchObject({ submitted: 0, samePages: 4, removedPages: 0 });
    serve([...urls, { url: "https://example.com/shop/5" }]);
    expect(await t.run(watch)).toMatchObject({ submitted: 1 });
  });

  test("that would make a backtracking matcher run for ever take linear time", async () => {
    const account = await t.account(100);
    serve(Array.from({ length: 200 }, (_, at) => ({ url: `https://example.com/${"a".repeat(2_000)}${at}` })));
    const exclude = Array.from({ length: 50 }, (_, at) => `/${"a*".repeat(48)}${at % 10}b$`);
    const watch = await t.watch(account, { exclude });
    const before = process.cpuUsage().user;
    expect(await t.run(watch)).toMatchObject({ samePages: 200 });
    expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(10);
  });
});

describe("the credential that made it", () => {
  async function keyed(limits = NO_LIMITS) {
    const account = await t.account(1_000);
    const now = t.clock.now();
    const key = await t.db.tx((tx) =>
      createKey(tx, { accountId: account, name: "deploy", limits, mode: "sandbox", now }),
    );
    const principal = (await principalOfKey(t.db, key, now))!;
    const change = { firstRun: "submit" } as const;
    const watch = await t.db.tx((tx) =>
      saveWatch(tx, { principal, watchId: undefined, url: SITEMAP, change, ...t.times() }),
    );
    return { account, principal, watch, keyId: principal.credential.id };
  }

  test("limits what its runs spend", async () => {
    serve(pagesOf(60));
    const { account, watch } = await keyed({ ...NO_LIMITS, perDay: 25 });
    await t.watcher.drain();
    expect((await t.runs(watch)).at(-1)).toMatchObject({ submitted: 25, waiting: 35, reason: "credential" });
    t.clock.pass(DAY);
    await t.watcher.drain();
    expect(await t.submitted(account)).toEqual(urlsFrom(1, 50));
    expect(await t.problems()).toEqual([]);
  });

  test("never spends in one run what a person would have to approve", async () => {
    serve(pagesOf(60));
    const { account, watch, keyId } = await keyed();
    await t.db.tx((tx) => setLimits(tx, { accountId: account, holder: keyId }, { ...NO_LIMITS, approveAbove: 20 }));
    await t.watcher.drain();
    expect((await t.runs(watch)).at(-1)).toMatchObject({ submitted: 20, waiting: 40 });
  });

  test("pauses its watches while the account is disabled, and its person is told; made active meanwhile it pauses again", async () => {
    serve(pagesOf(60));
    const { account, watch } = await keyed();
    const set = (reason: string | null) =>
      t.db.tx((tx) => setDisabled(tx, { accountId: account, reason, times: timesOf(t.clock) }));
    const paused = { status: "paused", reason: "account_disabled", nextRunAt: null };
    await set("Complaints reached us.");
    expect(await t.reload(watch)).toMatchObject(paused);
    await t.watch(account, { status: "active" });
    await t.watcher.drain();
    expect(await t.reload(watch)).toMatchObject(paused);
    expect(await t.runs(watch)).toEqual([]);
    const held = (await t.events(account)).filter(({ type }) => type === "watch.held");
    expect(held.map(({ data }) => data)).toMatchObject(
      [paused, paused].map(({ status, reason }) => ({ status, reason })),
    );
    await set(null);
    t.clock.pass(HOUR);
    await t.watcher.drain();
    expect(await t.submitted(account)).toHaveLength(60);
  });

  test("pauses its watches when it ends, and its person is told and may go on", async () => {
    serve(pagesOf(60));
    const { account, watch, keyId } = await keyed();
    await t.db.tx((tx) => revokeKey(tx, keyId, t.clock.now()));
    await t.watcher.drain();
    expect(await t.reload(watch)).toMatchObject({ status: "paused", reason: "credential_ended", nextRunAt: null });
    expect(await t.submitted(account)).toEqual([]);
    const held = (await t.events(account)).filter(({ type }) => type === "watch.held");
    expect(held.map(({ data }) => data)).toMatchObject([{ status: "paused", reason: "credential_ended" }]);
    await t.watch(account, { status: "active" });
    await t.watcher.drain();
    expect(await t.submitted(account)).toHaveLength(60);
  });

  test("that ends between reading and writing spends nothing", async () => {
    serve(pagesOf(10));
    const { account, watch, principal, keyId } = await keyed();
    const prepared = await prepareRun(t.deps, watch);
    await t.db.tx((tx) => revokeKey(tx, keyId, t.clock.now()));
    const committed = t.db.tx((tx) => commitRun(tx, prepared, { principal, preflight: false, times: t.times() }));
    await expect(committed).rejects.toThrow(RunLost);
    expect(await t.submitted(account)).toEqual([]);
    expect(await t.reload(watch)).toMatchObject({ waiting: 0, pages: 0 });
  });
});

test("of two processes at one run, one writes", async () => {
  const account = await t.account(100);
  serve(pagesOf(10));
  const watch = await t.watch(account, { firstRun: "submit" });
  const both = await Promise.all([prepareRun(t.deps, watch), prepareRun(t.deps, watch)]);
  const rest = { principal: await ownerPrincipal(t.db, account), preflight: false };
  const outcomes = await Promise.allSettled(
    both.map((prepared) => t.db.tx((tx) => commitRun(tx, prepared, { ...rest, times: t.times() }))),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const lost = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(lost.reason).toBeInstanceOf(RunLost);
  expect(await t.submitted(account)).toEqual(urlsFrom(1, 10));
});

test("watches run when they are due, each at a time of its own", async () => {
  const account = await t.account(1_000);
  const urls = Array.from({ length: 40 }, (_, at) => `https://${at}.example.com/sitemap.xml`);
  for (const url of urls) {
    t.site.serve(url, sitemapOf(pagesOf(3)));
    await t.watch(account, { every: "hour" }, url);
  }
  expect(await t.watcher.drain()).toBe(40);
  const { watches } = t.db.t;
  const rows = await t.db.q.select().from(watches).where(eq(watches.accountId, account));
  const minutes = new Set(rows.map(({ nextRunAt }) => Math.floor((nextRunAt! % HOUR) / 60_000)));
  expect(minutes.size).toBeGreaterThan(15);
  for (const { nextRunAt } of rows) expect(nextRunAt! - t.clock.service()).toBeLessThanOrEqual(HOUR);
  expect(await t.watcher.drain()).toBe(0);
  t.clock.pass(HOUR);
  expect(await t.watcher.drain()).toBe(40);
  expect(t.errors).toEqual([]);
});

test("an account has 100 watches; stopped ones do not count, and forget their pages", async () => {
  const account = await t.account(100);
  serve(pagesOf(3));
  const watch = await t.watch(account);
  await t.run(watch);
  for (let at = 1; at < 100; at++) await t.watch(account, {}, `https://example.com/${at}.xml`);
  await expect(t.watch(account, {}, "https://example.com/100.xml")).rejects.toMatchObject({ code: "invalid_request" });
  await t.watch(account, { status: "stopped" });
  expect(await t.db.q.select().from(t.db.t.watchPages)).toEqual([]);
  await t.watch(account, {}, "https://example.com/100.xml");
});
