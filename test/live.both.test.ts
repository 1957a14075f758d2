import { afterEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { scoreboard } from "../src/indexing/providers/scoreboard.ts";
import { DAY, HOUR } from "../src/platform/clock.ts";
import { type LiveService, liveService } from "./support/service/live-service.ts";
import { SURFACES, type SurfaceClient } from "./support/service/surface-client.ts";

let live: LiveService;
let client: SurfaceClient;
afterEach(async () => {
  expect((await audit(live.service.db)).problems).toEqual([]);
  expect(live.service.errors).toEqual([]);
  await client.close();
  await live.close();
});

const RESALE = "speedyindex,serper";

async function open(engines: string, connect = SURFACES.REST!, env = {}): Promise<{ id: string; key: string }> {
  live = await liveService(engines, env);
  client = connect(live.service);
  return live.service.account({ credits: 100 });
}

async function linksOf(key: string, project: { id: string }) {
  const { body } = await client.call("list_links", { project_id: project.id, limit: 100 }, { key });
  return body.links as {
    id: string;
    url: string;
    status: string;
    error_code: string | null;
    warnings: string[];
    engines: Record<string, { status: string; provider: string | null; detail: string | null }>;
  }[];
}

async function submit(key: string, urls: readonly string[], more: object = {}) {
  const { ok, body } = await client.call("submit_urls", { urls, ...more }, { key });
  if (!ok) throw new Error(JSON.stringify(body));
  return body.project as { id: string };
}

const balance = async (key: string) => (await client.call("get_account", {}, { key })).body.credits;
const fate = ({ status, error_code }: { status: string; error_code: string | null }) =>
  error_code ? `${status} (${error_code})` : status;
const now = () => live.service.clock.service();

describe.each(Object.entries(SURFACES))("%s: pages of sites that no account has verified", (_, connect) => {
  test("are read, sent through a reseller, looked up by a third party, and refunded when Google does not have them", async () => {
    const { key } = await open(RESALE, connect);
    const urls = [
      live.page("ok-1", "hour"),
      live.page("ok-2", "day_14"),
      live.page("ok-3", "never"),
      live.page("404"),
      live.page("noindex"),
      live.page("private/ok"),
      live.page("403", "hour"),
      "http://10.0.0.1/inside",
    ];
    const project = await submit(key, urls);
    const start = now();
    await live.until(start + HOUR);
    expect((await linksOf(key, project)).map(fate)).toEqual([
      "checking",
      "checking",
      "checking",
      "failed (http_404)",
      "failed (noindex)",
      "failed (robots_disallowed)",
      "checking",
      "failed (host_not_public)",
    ]);
    expect(await balance(key)).toBe(96);
    await live.until(start + 16 * DAY);

    const links = await linksOf(key, project);
    expect(links.map(fate)).toEqual([
      "indexed",
      "indexed",
      "not_indexed (no_match)",
      "failed (http_404)",
      "failed (noindex)",
      "failed (robots_disallowed)",
      "indexed",
      "failed (host_not_public)",
    ]);
    expect(links[6]!.warnings).toEqual(["http_403"]);
    expect(links[0]!.engines).toMatchObject({
      google: { status: "accepted", provider: "speedyindex" },
      bing: { status: "skipped", detail: "no_provider" },
    });
    expect(links[3]!.engines.google).toMatchObject({ status: "skipped", detail: "http_404" });
    expect(await balance(key)).toBe(97);
    // Each was handed over once, and once more after day 4 where Google had it not.
    const sent = [0, 1, 2, 6].map((position) => urls[position]!);
    expect(live.world.urlsSubmittedTo("speedyindex").sort()).toEqual([...sent, urls[1]!, urls[2]!].sort());

    const { body } = await client.call("get_link", { project_id: project.id, link_id: links[2]!.id }, { key });
    const looks = body.checks.map((check: { look: string; result: string; provider: string; reason: string }) =>
      [check.look, check.result, check.provider, check.reason].join(" "),
    );
    expect(looks).toEqual([
      "day_4 not_indexed serper no_match",
      "day_4 not_indexed serper no_match",
      "day_14 not_indexed serper no_match",
      "day_14 not_indexed serper no_match",
    ]);
    expect(body.checks[0].counts).toMatchObject({ queries: 2, matches: 0 });
  });
});

describe("a site that the account owns", () => {
  test("is submitted to Bing and Yandex by IndexNow once its key file is there; before that, and for other sites, it is skipped", async () => {
    const { key } = await open(`${RESALE},indexnow_bing,indexnow_yandex`);
    const before = await submit(key, [live.page("early", "hour")]);
    await live.until(now() + HOUR);
    const { body: site } = await client.call("add_site", { host: live.host }, { key });
    expect(site.status).toBe("pending");
    live.files.set(`/${site.indexnow_key}.txt`, site.indexnow_key);
    const { body: again } = await client.call("add_site", { host: live.host }, { key });
    expect(again).toMatchObject({ status: "verified", connections: ["indexnow"] });

    const urls = [live.page("a", "hour"), live.page("b", "hour"), "https://elsewhere.example/"];
    const after = await submit(key, urls);
    await live.until(now() + HOUR);
    const [early] = await linksOf(key, before);
    expect(early!.engines.bing).toMatchObject({ status: "skipped", detail: "host_not_verified" });
    const links = await linksOf(key, after);
    expect(links.map(({ engines }) => `${engines.bing!.status} ${engines.yandex!.status}`)).toEqual([
      "accepted accepted",
      "accepted accepted",
      "skipped skipped",
    ]);
    expect(links[0]!.engines).toMatchObject({
      bing: { provider: "indexnow_bing" },
      yandex: { provider: "indexnow_yandex" },
      google: { provider: "speedyindex" },
    });
    expect(live.world.urlsSubmittedTo("indexnow_bing")).toEqual(urls.slice(0, 2));
  });

  test("of another account: its pages are skipped", async () => {
    const { key } = await open(`${RESALE},indexnow_bing`);
    const { body: site } = await client.call("add_site", { host: live.host }, { key });
    live.files.set(`/${site.indexnow_key}.txt`, site.indexnow_key);
    await client.call("add_site", { host: live.host }, { key });
    const other = await live.service.account();
    const project = await submit(other.key, [live.page("a", "hour")]);
    await live.until(now() + HOUR);
    const [link] = await linksOf(other.key, project);
    expect(link!.engines.bing).toMatchObject({ status: "skipped", detail: "host_not_verified" });
  });
});

describe("providers misbehave", () => {
  /** Links that Google would have, in a state where day 14 is about to decide. */
  async function sentBefore(engines: string, fates: readonly string[], env = {}) {
    const account = await open(engines, SURFACES.REST!, env);
    const project = await submit(
      account.key,
      fates.map((one, i) => live.page(`ok-${i}`, one)),
    );
    const start = now();
    return { ...account, project, start };
  }

  test.each([
    ["down for three days over day 14", { answer: "drop" as const }],
    ["an expired key", { answer: { status: 403, body: { message: "Unauthorized.", statusCode: 403 } } }],
    ["a failure in a 200", { answer: { status: 200, body: { message: "Internal error" } } }],
    ["HTML in a 200", { answer: { status: 200, body: "<html>Our site is being rebuilt</html>" } }],
    ["429 without end", { answer: { status: 429, headers: { "Retry-After": "120" } } }],
  ])("the lookup provider: %s: no link settles on it, and the verdict comes after it", async (_, fault) => {
    const { key, project, start } = await sentBefore(RESALE, ["day_14", "never"]);
    await live.until(start + 13.5 * DAY);
    live.world.fail("serper", fault);
    await live.until(start + 17 * DAY);
    expect((await linksOf(key, project)).map(fate)).toEqual(["checking", "checking"]);
    expect(await balance(key)).toBe(98);
    live.restart();
    live.world.heal();
    await live.until(start + 19 * DAY);
    expect((await linksOf(key, project)).map(fate)).toEqual(["indexed", "not_indexed (no_match)"]);
    expect(await balance(key)).toBe(99);
  });

  test("a canary that fails: Google's index seems empty, and no link is decided by it", async () => {
    const { key, project, start } = await sentBefore(RESALE, ["hour", "day_14"]);
    await live.until(start + 13.5 * DAY);
    for (const url of live.service.config.providers.canaryUrls) live.world.setIndexed(url, false);
    for (const name of ["ok-0", "ok-1"])
      live.world.setIndexed(live.page(name, name === "ok-0" ? "hour" : "day_14"), false);
    await live.until(start + 17 * DAY);
    expect((await linksOf(key, project)).map(fate)).toEqual(["indexed", "checking"]);
    const [serper] = (await scoreboard(live.service.db, 30, now())).filter(({ provider }) => provider === "serper");
    expect(serper).toMatchObject({ ok: false, reason: "canary_failed" });
  });

  test("a quota used up in the middle of a step: links looked up by then are decided, the rest after midnight", async () => {
    const budget = { PROVIDER_BUDGETS: "serper=9" };
    const { key, project, start } = await sentBefore(RESALE, ["hour", "hour", "hour", "hour", "hour", "hour"], budget);
    await live.until(start + 4 * DAY + HOUR);
    const states = (await linksOf(key, project)).map(fate);
    expect(new Set(states)).toEqual(new Set(["checking", "indexed"]));
    await live.until(start + 20 * DAY);
    expect((await linksOf(key, project)).map(fate)).toEqual(Array(6).fill("indexed"));
    expect(live.fakes.callsTo("serper").length).toBeGreaterThan(6);
  });

  test("the first lookup provider fails: the next one's verdict counts, and the evidence names it", async () => {
    const { key, project, start } = await sentBefore("speedyindex,serper,dataforseo", ["day_4", "never"]);
    live.world.fail("serper", { answer: "drop" });
    await live.until(start + 16 * DAY);
    const links = await linksOf(key, project);
    expect(links.map(fate)).toEqual(["indexed", "not_indexed (no_match)"]);
    const { body } = await client.call("get_link", { project_id: project.id, link_id: links[1]!.id }, { key });
    expect(body.last_check).toMatchObject({ provider: "dataforseo", result: "not_indexed" });
  });

  test("a reseller whose answer was lost is asked what it did, and never gets a link twice", async () => {
    const account = await open(RESALE);
    live.world.fail("speedyindex", { answer: "drop", afterActing: true, times: 1, path: "create" });
    const urls = [live.page("a", "hour"), live.page("b", "hour")];
    const project = await submit(account.key, urls);
    await live.until(now() + HOUR);
    expect((await linksOf(account.key, project)).map(({ engines }) => engines.google!.detail)).toEqual([
      "looked_up",
      "looked_up",
    ]);
    expect(live.world.urlsSubmittedTo("speedyindex")).toEqual(urls);
  });

  test("a reseller out of credit: the next one takes the links, and `beckon providers` shows it", async () => {
    const account = await open("speedyindex,rapid_url_indexer,serper");
    live.world.credits.set("speedyindex", 0);
    const project = await submit(account.key, [live.page("a", "hour")]);
    await live.until(now() + 15 * DAY);
    const [link] = await linksOf(account.key, project);
    expect(link!.engines.google).toMatchObject({ status: "accepted", provider: "rapid_url_indexer" });
    const scores = await scoreboard(live.service.db, 30, now());
    expect(
      scores.map(({ provider, sent, accepted, errors, ok }) => [provider, sent, accepted, errors > 0, ok]),
    ).toEqual([
      ["rapid_url_indexer", 1, 1, false, true],
      ["serper", 0, 0, false, true],
      ["speedyindex", 0, 0, true, false],
    ]);
    expect(scores[0]).toMatchObject({ decided: 1, indexed: 1 });
  });

  test("no secret of a provider is anywhere in the database", async () => {
    const { start } = await sentBefore("speedyindex,rapid_url_indexer,serper,dataforseo,serpapi", ["never"]);
    for (const provider of ["serper", "dataforseo"]) live.world.fail(provider, { answer: { status: 500, body: "x" } });
    await live.until(start + 16 * DAY);
    const { db } = live.service;
    const tables = [db.t.deliveries, db.t.observations, db.t.providers, db.t.providerDays, db.t.calls] as const;
    const rows = await Promise.all(tables.map((table) => db.q.select().from(table)));
    expect(JSON.stringify(rows)).not.toContain("secret-");
  });
});
