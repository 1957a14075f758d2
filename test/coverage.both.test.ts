import { and, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { foldCoverage } from "../src/domain/coverage/fold.ts";
import { purgeCoverage } from "../src/domain/coverage/purge.ts";
import { deleteAtOnce, deleteInBatches } from "../src/domain/deletion/rows.ts";
import type { CheckOutcome, Engines } from "../src/indexing/engines/engine.ts";
import { DAY, HOUR, iso, MINUTE } from "../src/platform/clock.ts";
import { SIZES } from "../src/platform/sizes.ts";
import { runsOf } from "./support/checks/fuzz-runs.ts";
import { coverageFrom, middleOf, type SeenLink } from "./support/coverage/oracle.ts";
import { isOnPostgres } from "./support/database/database.ts";
import { SeededRandom } from "./support/nodes/seeded-random.ts";
import { testChecker } from "./support/service/checker.ts";
import { type TestService, testService } from "./support/service/service.ts";

const services: TestService[] = [];
afterAll(async () => {
  for (const service of services) await service.close();
});

async function started() {
  const service = await testService();
  services.push(service);
  const { id, key } = await service.account({ credits: 100_000 });
  const post = async (path: string, body: object) => (await service.request("POST", path, { key, body })).json;
  const coverage = async (query = "") => {
    await foldCoverage(service.db);
    return (await service.request("GET", `/coverage${query}`, { key })).json;
  };
  return { service, id, key, post, coverage };
}

const dayOf = (at: number) => iso(at).slice(0, 10);

const HOSTS = ["www.example.com", "blog.example.com", "example.org:8443"];
const REASONS = ["no_match", "crawled_not_indexed", "duplicate", "soft_404", "discovered_not_indexed", "noindex"];

/** What Google has of a page for a span of its year. */
type Fate = Pick<CheckOutcome, "result" | "reason">;

/** Pages whose fates change by the month; Google itself is asked about those of the first host. */
function worldOf(random: SeededRandom, start: number) {
  const urls = HOSTS.flatMap((host) =>
    Array.from({ length: random.between(6, 20) }, (_, no) => `https://${host}/${no}`),
  );
  const fates = new Map<string, Fate[]>();
  for (const url of urls)
    fates.set(
      url,
      Array.from({ length: 16 }, (): Fate => {
        const result = random.pick(["indexed", "indexed", "not_indexed", "not_indexed", "unknown"] as const);
        return result === "not_indexed" ? { result, reason: random.pick(REASONS) as "no_match" } : { result };
      }),
    );
  const outcome = (url: string, at: number): CheckOutcome => {
    const isOwn = url.includes(HOSTS[0]!);
    const fate = fates.get(url)![Math.floor((at - start) / (28 * DAY))]!;
    return { ...fate, available: true, provider: "p", method: isOwn ? "url_inspection" : "serp", authoritative: isOwn };
  };
  const change = (sandbox: Engines): Engines => ({
    ...sandbox,
    verifier: { check: async ({ links, asOf }) => links.map(({ url }) => outcome(url, asOf)) },
    pages: { check: async (pages) => pages.map(() => ({ refusal: null, warnings: [] })) },
  });
  return { urls, change };
}

const DAYS = runsOf({ usually: 120, deep: 365 });

/** One on PostgreSQL, where a day takes several times as long. */
const SEEDS = runsOf({ usually: isOnPostgres ? 1 : 2, deep: 20 });

test.each(Array.from({ length: SEEDS }, (_, no) => no + 1))(
  "law: what is said of a site, with drops and reasons, agrees with each check of its pages: seed %i",
  async (seed) => {
    const { service, key, post, coverage } = await started();
    const { clock } = service;
    const random = new SeededRandom(seed);
    const start = clock.service();
    const { urls, change } = worldOf(random, start);
    const checker = testChecker(service, change);
    const projects: { id: string; at: number }[] = [];
    for (let at = start; at < start + DAYS * DAY; at += random.between(1, 14 * 24 * 60) * MINUTE) {
      await checker.until(at);
      const some = urls.filter(() => random.next() < 0.3);
      if (some.length === 0) continue;
      const isCheck = random.next() < 0.3;
      const how = isCheck ? {} : { drip_days: random.pick([0, 3]), skip_indexed: random.next() < 0.3 };
      const made = await post(isCheck ? "/checks" : "/projects", { urls: some, ...how });
      projects.push({ id: made.project.id, at });
      // Counted now and then, and by steps of a day or of many.
      if (random.next() < 0.5) await foldCoverage(service.db);
    }
    await checker.until(start + (DAYS + 30) * DAY);
    const links: SeenLink[] = [];
    for (const { id, at } of projects) {
      const { json: list } = await service.request("GET", `/projects/${id}/links?limit=500`, { key });
      for (const { id: linkId } of list.links) {
        const { json: link } = await service.request("GET", `/projects/${id}/links/${linkId}`, { key });
        const looks = link.checks.map((check: SeenLink["looks"][number] & { at: string }) => ({
          ...check,
          at: Date.parse(check.at),
        }));
        links.push({ url: link.url, madeAt: at, sentAt: link.sent_at && Date.parse(link.sent_at), looks });
      }
      clock.pass(MINUTE, 0);
    }
    const { hosts, has_more: more } = await coverage("?days=400");
    expect(more).toBe(false);
    expect(hosts.map(({ host }: { host: string }) => host).sort()).toEqual([...HOSTS].sort());
    for (const { host, series, reasons, median_days: median, site_id: siteId, as_of: _, ...counts } of hosts) {
      const end = clock.service() + 1;
      const expected = coverageFrom(links, host, end);
      expect([host, counts, siteId]).toEqual([host, expected.counts, null]);
      const most = Object.entries(expected.reasons).map(([reason, count]) => ({ reason, count }));
      expect(reasons).toEqual(most.sort(byCount).slice(0, 5));
      expect(Math.abs(median - middleOf(expected.days)!)).toBeLessThanOrEqual(0.11);
      expect(series.at(-1).day).toBe(dayOf(clock.service()));
      expect(series.length).toBeGreaterThan(DAYS - 5);
      for (const { day, pages, in_google } of series) {
        const after = Date.parse(day) + DAY;
        const { counts: then } = coverageFrom(links, host, after);
        expect([host, day, pages, in_google]).toEqual([host, day, then.pages, then.in_google]);
      }
    }
  },
  240_000,
);

const byCount = (one: { reason: string; count: number }, other: { reason: string; count: number }) =>
  other.count - one.count || (one.reason < other.reason ? -1 : 1);

test("200: the first days of a host, and a URL of two projects that counts once", async () => {
  const { service, post, coverage } = await started();
  const { clock } = service;
  const urls = ["hour", "never"].map((fate) => `https://example.com/${fate}?sandbox=${fate}`);
  const start = clock.service();
  expect(await coverage()).toEqual({ hosts: [], has_more: false });
  await post("/projects", { urls });
  await post("/checks", { urls: [...urls, "https://example.com/other?sandbox=silent"] });
  const made = (await coverage()).hosts[0];
  expect(made).toEqual({
    host: "example.com",
    site_id: null,
    ...{ pages: 3, in_google: 0, not_in_google: 0, unknown: 3 },
    as_of: iso(start),
    median_days: null,
    reasons: [],
    series: [{ day: dayOf(start), pages: 3, in_google: 0 }],
  });
  const checker = testChecker(service);
  await checker.until(start + HOUR);
  expect((await coverage()).hosts[0]).toMatchObject({
    ...{ pages: 3, in_google: 1, not_in_google: 1, unknown: 1 },
    as_of: iso(start + 30 * MINUTE),
    reasons: [{ reason: "no_match", count: 1 }],
    // The check found it, and had not sent it.
    median_days: null,
  });
  await checker.until(start + 5 * DAY);
  const { hosts } = await coverage("?days=3");
  expect(hosts[0].series).toEqual([3, 4, 5].map((day) => ({ day: dayOf(start + day * DAY), pages: 3, in_google: 1 })));
});

test("200: hosts by pages, in pages of the list, with their sites; only of this account, and only the host that is asked for", async () => {
  const { service, key, post, coverage } = await started();
  const other = await service.account();
  await service.request("POST", "/projects", { key: other.key, body: { urls: ["https://a.example/theirs"] } });
  await post("/projects", {
    urls: ["https://a.example/1", "https://b.example/1", "https://b.example/2", "https://c.example/"],
  });
  await post("/sites", { host: "b.example" });
  const { json: sites } = await service.request("GET", "/sites", { key });
  const named = async (query: string) => {
    const { hosts, has_more: more } = await coverage(query);
    return [hosts.map((one: { host: string; pages: number }) => `${one.host} ${one.pages}`), more];
  };
  expect(await named("")).toEqual([["b.example 2", "a.example 1", "c.example 1"], false]);
  expect(await named("?limit=2")).toEqual([["b.example 2", "a.example 1"], true]);
  expect(await named("?limit=2&offset=2")).toEqual([["c.example 1"], false]);
  expect(await named("?host=https://A.example/")).toEqual([["a.example 1"], false]);
  expect(await named("?host=none.example")).toEqual([[], false]);
  expect((await coverage("?host=b.example")).hosts[0].site_id).toBe(sites.sites[0].id);
});

test.each(["days=0", "days=401", "limit=101", "host=", "host=a%20b"])("400 invalid_request: %s", async (query) => {
  const { service, key } = await started();
  const { status, json } = await service.request("GET", `/coverage?${query}`, { key });
  expect([status, json.error.code]).toEqual([400, "invalid_request"]);
});

test("law: days go after 400 days, and what they said holds on", async () => {
  const { service, id, post, coverage } = await started();
  const { clock, db } = service;
  await post("/projects", { urls: ["https://old.example/1"] });
  await foldCoverage(db);
  clock.pass(10 * DAY);
  await post("/projects", { urls: ["https://old.example/2"] });
  await foldCoverage(db);
  const { coverageDays: days } = db.t;
  const kept = () =>
    db.q
      .select()
      .from(days)
      .where(and(eq(days.accountId, id), eq(days.host, "old.example")));
  clock.pass((SIZES.coverageDays - 1) * DAY);
  const before = (await coverage("?days=400")).hosts[0].series;
  await purgeCoverage(db, clock.service());
  expect((await coverage("?days=400")).hosts[0].series).toEqual(before);
  expect(await kept()).toHaveLength(1);
  clock.pass(100 * DAY);
  await purgeCoverage(db, clock.service());
  const { series } = (await coverage("?days=400")).hosts[0];
  expect(series).toHaveLength(400);
  expect(series.every((one: { pages: number }) => one.pages === 2)).toBe(true);
  expect((await kept()).map(({ day }) => day)).toEqual([Math.floor(clock.service() / DAY) - SIZES.coverageDays + 1]);
});

test("law: an account that is deleted leaves nothing, also where its last changes are counted meanwhile", async () => {
  const { service, id, post } = await started();
  const { db } = service;
  await post("/projects", { urls: ["https://gone.example/1"] });
  await foldCoverage(db);
  await post("/projects", { urls: ["https://gone.example/2"] });
  await db.tx((tx) => deleteAtOnce(tx, id));
  await foldCoverage(db);
  while (await db.tx((tx) => deleteInBatches(tx, id)));
  await foldCoverage(db);
  for (const table of [db.t.coverageHosts, db.t.coverageDays, db.t.coveragePages])
    expect(await db.q.select().from(table).where(eq(table.accountId, id))).toEqual([]);
  expect(await db.q.select().from(db.t.coverageChanges)).toEqual([]);
});
