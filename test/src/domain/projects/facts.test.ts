import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { presentLinks, presentLinksWithChecks } from "../../../../src/contract/shapes/link.ts";
import { eachLink, linksOf } from "../../../../src/domain/projects/list-links.ts";
import { type LinkRecord, linkAt, type ProjectRow } from "../../../../src/domain/projects/read.ts";
import { COVERAGE_STATES, reportOf } from "../../../../src/domain/projects/report.ts";
import { DAY, iso } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { urlOf } from "../../../support/service/sandbox-urls.ts";

const store = eachTest(testStore);
const NAMES = [
  "hour",
  "day_14",
  "dropped",
  "crawled_not_indexed",
  "discovered_not_indexed",
  "duplicate",
  "never",
] as const;
const URLS = NAMES.map((fate) => urlOf(fate, fate));
let project: ProjectRow;
let start: number;

beforeEach(async () => {
  const account = await store.account(1_000);
  start = store.clock.service();
  project = await store.index(account, URLS);
});

const detailOf = async (record: LinkRecord) =>
  (
    await presentLinksWithChecks(store.db, project.accountId, { records: [record], siteUrl: "https://beckon.test" })
  )[0]!;
const detail = async (name: (typeof NAMES)[number]) =>
  detailOf((await linkAt(store.db, project, NAMES.indexOf(name)))!);
const until = (days: number) => testChecker(store).until(start + days * DAY);

test("law: what was first found stays, whatever later checks say; last found and last checked are their own facts", async () => {
  await until(5);
  const found = (await detail("dropped")).first_found_at;
  expect(found).toBe(iso(start + 4 * DAY));
  await until(17);
  const dropped = await detail("dropped");
  expect(dropped).toMatchObject({
    status: "not_indexed",
    indexed_at: null,
    first_found_at: found,
    last_found_at: found,
  });
  expect(dropped.checked_at! > found!).toBe(true);
  const { first_found_at, last_found_at } = await detail("hour");
  expect([first_found_at, last_found_at]).toEqual([iso(start + 4 * DAY), iso(start + 14 * DAY)]);
  expect(await detail("never")).toMatchObject({ first_found_at: null, last_found_at: null });
});

test("a crawl is kept with its source and outcome, once for each time, and lists show the newest", async () => {
  await until(17);
  const declined = await detail("crawled_not_indexed");
  const [crawl, ...more] = declined.crawls;
  expect(more).toEqual([]);
  expect(crawl).toMatchObject({ engine: "google", source: "url_inspection", as: "mobile", status: "successful" });
  expect(declined.engines).toMatchObject({ google: { crawled_at: crawl!.at }, bing: { crawled_at: null } });
  expect(declined.error_code).toBe("crawled_not_indexed");
  const { records } = await linksOf(store.db, project, { state: null, limit: 10, offset: 0 });
  const listed = await presentLinks(store.db, project.accountId, records);
  expect(listed.find(({ url }) => url === declined.url)?.engines).toEqual(declined.engines);
  expect(declined.access).toMatchObject({
    Googlebot: { allowed: true, by: null },
    PerplexityBot: { allowed: false, by: "robots" },
  });
  expect((await detail("never")).access.Googlebot).toEqual({ allowed: null, by: null });
  const discovered = await detail("discovered_not_indexed");
  expect(discovered).toMatchObject({ crawls: [], facts: { only_sitemap: true, referring_urls: [] } });
  const { user_canonical, google_canonical } = (await detail("duplicate")).facts;
  expect([user_canonical, google_canonical]).toEqual([URLS[5], "https://example.com/"]);
  const unknown = { referring_urls: null, only_sitemap: null, google_canonical: null, doubtful_crawl_time: null };
  expect((await detail("never")).facts).toMatchObject(unknown);
  for await (const [first] of eachLink(store.db, project, { state: null, withOwnFacts: true }))
    expect((await detailOf(first!)).crawls).toHaveLength(1);
});

test("the first look of the sandbox shows Google's own reasons and the dates of its crawls", async () => {
  const REASONS = [
    ["crawled_not_indexed", true],
    ["discovered_not_indexed", false],
    ["duplicate", true],
    ["soft_404", true],
    ["unknown_to_google", false],
  ] as const;
  const account = await store.account(100);
  const first = await store.index(
    account,
    REASONS.map(([fate]) => urlOf(fate, fate)),
  );
  await until(4.1);
  const { groups, crawled } = await reportOf(store.db, first);
  for (const [position, [reason, isCrawled]] of REASONS.entries()) {
    const shown = await detailOf((await linkAt(store.db, first, position))!);
    expect(shown).toMatchObject({ status: "checking", last_check: { result: "not_indexed" } });
    expect(shown.checks.find(({ look }) => look === "day_4")).toMatchObject({ reason });
    const crawledAt = shown.engines.google.crawled_at;
    expect([reason, crawledAt !== null && crawledAt > iso(start) && crawledAt < shown.checked_at!]).toEqual([
      reason,
      isCrawled,
    ]);
    const isInGooglesWords = COVERAGE_STATES[reason] !== undefined;
    expect(groups.find((group) => group.reason === reason)).toMatchObject({ count: 1, isInGooglesWords });
  }
  expect(crawled.google).toEqual({ fetched: 3, not_fetched: 1, unknown: 1 });
});

test("law: an event tells of each link that was fetched since it was sent, once, with the check that learns of it", async () => {
  await until(17);
  const { events } = store.db.t;
  const rows = await store.db.q.select().from(events).where(eq(events.type, "links.crawled")).orderBy(events.no);
  const data = rows.map((row) => JSON.parse(row.data));
  const positions = data.flatMap(({ links }) => links.map((id: string) => NAMES[Number(id.split("_").at(-1))]));
  expect([...positions].sort()).toEqual(["crawled_not_indexed", "day_14", "dropped", "duplicate", "hour"].sort());
  for (const { engine, count, links, first_at, last_at } of data) {
    expect([engine, count]).toEqual(["google", links.length]);
    expect(first_at >= iso(Math.floor(start / 1000) * 1000) && first_at <= last_at).toBe(true);
  }
});

test("the report counts what was fetched since sending, and by days when links were first found", async () => {
  expect(await reportOf(store.db, project)).toMatchObject({
    found: { byDay: [], median: null },
    crawled: { google: { fetched: 0, not_fetched: 0, unknown: 0 } },
  });
  await until(5);
  expect((await reportOf(store.db, project)).found).toEqual({ byDay: [{ day: 4, count: 2 }], median: 4 });
  await until(17);
  const { found, crawled } = await reportOf(store.db, project);
  expect(found).toEqual({
    byDay: [
      { day: 4, count: 2 },
      { day: 14, count: 1 },
    ],
    median: 4,
  });
  expect(crawled.google).toEqual({ fetched: 5, not_fetched: 1, unknown: 1 });
  expect(crawled.bing).toEqual({ fetched: 0, not_fetched: 0, unknown: 7 });
});
