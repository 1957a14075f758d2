import { encode } from "gpt-tokenizer";
import { afterAll, describe, expect, test } from "vitest";
import { fitPage } from "../../../src/contract/fit-page.ts";
import { outputSchema } from "../../../src/contract/json-schema.ts";
import { isOn } from "../../../src/contract/operation.ts";
import { AGENTS } from "../../../src/domain/projects/access.ts";
import { operationOf } from "../../../src/surfaces/mcp/tools.ts";
import { operations } from "../../../tools/index.ts";
import { poster, toolCall } from "../../support/mcp/post.ts";
import { urlset } from "../../support/network/sitemap-server.ts";
import { testService } from "../../support/service/service.ts";
import { SURFACES } from "../../support/service/surface-client.ts";

/** What one answer may take of what a model reads, in tokens of o200k. */
const BUDGET = 8_000;

const at = "2026-01-19T12:00:00.000Z";
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
/** An address that is hard to put into few tokens. */
const url = (i: number, length: number) => `https://www.example.com/${i}/`.padEnd(length, "aB3x%C3%A4Zq1-9Wv_");
const engine = { status: "skipped", provider: "indexnow", at, detail: "host_not_verified" };
const seen = { at, result: "not_indexed", method: "site_query", provider: "web_search" };

const link = (i: number, length: number) => ({
  object: "link",
  id: `lnk_b27wefbrxdw13_${i}`,
  project_id: "prj_b27wefbrxdw13",
  url: url(i, length),
  status: "not_indexed",
  error_code: "unverifiable",
  error_message: "Nobody could say for certain whether Google has the page, and so its credits came back.",
  credits: 3,
  credits_returned: 3,
  scheduled_at: at,
  sent_at: at,
  checked_at: at,
  next_check_at: at,
  indexed_at: at,
  first_found_at: at,
  last_found_at: at,
  engines: { google: { ...engine, crawled_at: at }, bing: { ...engine, crawled_at: at }, yandex: engine },
  last_check: seen,
  warnings: ["noindex", "robots_txt"],
  created_at: at,
});
const check = { ...seen, look: "day_14", reason: "second_look", counts: { queries: 3, results: 10, matches: 0 } };
const project = {
  object: "project",
  id: "prj_b27wefbrxdw13",
  kind: "index",
  name: "The longest name that a project may have ".repeat(3).slice(0, 120),
  mode: "standard",
  engines: { google: true, bing: true, yandex: true },
  drip_days: 30,
  status: "completed",
  counts: { total: 10_000, waiting: 1_000, checking: 1_000, indexed: 7_000, not_indexed: 900, failed: 100 },
  index_rate: 88.6,
  credits_spent: 10_000,
  credits_returned: 1_000,
  created_at: at,
  completed_at: at,
  dashboard_url: "https://beckon.example/dashboard/projects/prj_b27wefbrxdw13",
};
const order = {
  object: "order",
  id: "ord_0123456789abcdefghjk",
  pack: "premium",
  credits: 1_100,
  amount_cents: 5_999,
  currency: "usd",
  method: "evm",
  livemode: false,
  status: "disputed",
  checkout_url: url(1, 300),
  transaction: {
    network: "eip155:8453",
    hash: `0x${"a1b2".repeat(16)}`,
    payer: `0x${"c3d4".repeat(10)}`,
    amount: "59990000",
    currency: `0x${"e5f6".repeat(10)}`,
  },
  created_at: at,
  expires_at: at,
  paid_at: at,
};
const entry = {
  object: "ledger_entry",
  id: "led_6cvd9p9b2xh2dafn6svy_1234",
  at,
  kind: "adjustment",
  credits: -10_000,
  balance_after: 123_456,
  project_id: "prj_b27wefbrxdw13",
  order_id: "ord_0123456789abcdefghjk",
  credential_id: "grt_0123456789abcdefghjk",
  description: "Credits of URLs that Google did not have on day 14",
};
const counts = { waiting: 1, checking: 99, indexed: 7_000, gone: 1_000, not_indexed: 900, unknown: 900, failed: 100 };
const advice = {
  meaning: "Google has no entry for the address, which does not say that it was never fetched.",
  cause:
    "Google crawls a site more slowly while it answers with 5xx or 429, and in time drops pages that keep doing so.",
  next_step:
    "Compare the page with how it was when it was found, and submit it again if it has changed for the better.",
  who: "you",
  basis: "documented",
  docs: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
};
const rate = { rate: 12.3, low: 10.1, high: 14.5, differs: "better" };
const visit = {
  ...{ agent: "Google-InspectionTool", engine: "google", purpose: "training", first_at: at, last_at: at },
  ...{ count: 1_000_000, status: 503, verified: "range" },
};
const searcher = { agent: "Claude-SearchBot", pages: 10_000, pages_unverified: 10_000, last_at: at };

const report = {
  project_id: "prj_b27wefbrxdw13",
  groups: many(10, (i) => ({
    status: "not_indexed",
    reason: "alternate_canonical",
    words: "Alternate page with proper canonical tag",
    by: "google",
    count: 1_000,
    links: many(20, (n) => `lnk_b27wefbrxdw13_${9_000 + 20 * i + n}`),
    ...advice,
  })),
  bing: { indexed: 10_000, not_indexed: 10_000, unknown: 10_000 },
  found_by_day: many(16, (day) => ({ day, count: 1_000 })),
  median_days: 12.3,
  crawled: {
    google: { fetched: 10_000, not_fetched: 10_000, unknown: 10_000 },
    bing: { fetched: 10_000, not_fetched: 10_000, unknown: 10_000 },
  },
  by_host: many(10, (i) => ({
    host: `${i}.a-rather-long-name-of-a-host.example.com`,
    total: 10_000,
    ...counts,
    ...rate,
  })),
  by_folder: many(10, (i) => ({
    folder: `www.example.com/a-rather-long-folder-${i}/`,
    total: 10_000,
    ...counts,
    ...rate,
  })),
  searchers: many(3, () => searcher),
};
const ids = many(100, (i) => `lnk_0123456789abc_${9_000 + i}`);
const event = {
  object: "event",
  id: "evt_6cvd9p9b2xh2dafn6svy_123456",
  type: "links.settled",
  at,
  project_id: "prj_b27wefbrxdw13",
  data: {
    project_id: "prj_b27wefbrxdw13",
    counts: { indexed: 200, not_indexed: 200, failed: 100 },
    links: { indexed: ids, not_indexed: ids, failed: ids },
    credits_returned: 900,
  },
};
const change = {
  object: "activity",
  id: "act_0123456789abcdefghjk",
  at,
  kind: "project_changed",
  text: "Project renamed, tagged or archived",
  subject: "n".repeat(200),
  target_id: "prj_b27wefbrxdw13",
  person_id: "per_0123456789abcdefghjk",
  role: "manager",
  email: null,
  credential: { id: "grt_0123456789abcdefghjk", name: "n".repeat(100) },
};
const webhook = {
  object: "webhook",
  id: "wh_6cvd9p9b2xh2dafn6svy",
  url: url(0, 2_000),
  events: ["project.completed", "links.settled", "links.dropped", "credits.low", "site.verified"],
  description: "w".repeat(200),
  status: "active",
  created_at: at,
  last_success_at: at,
  last_failure: { at, status: 500, reason: "too_many_requests" },
};
const delivery = {
  id: "dlv_6cvd9p9b2xh2dafn6svy_123456",
  event_id: "evt_6cvd9p9b2xh2dafn6svy_123456",
  type: "project.completed",
  status: "failed",
  attempts: many(10, () => ({ at, status: 503, ms: 15_000, reason: "server_error" })),
  next_attempt_at: at,
};
const site = {
  object: "site",
  id: "sit_0123456789ab",
  host: "www.a-rather-long-name-of-a-host.example.com",
  status: "pending",
  verified_by: "key_file",
  indexnow_key: "0123456789abcdef".repeat(2),
  key_url: `https://www.a-rather-long-name-of-a-host.example.com/${"0123456789abcdef".repeat(2)}.txt`,
  connections: ["indexnow", "bing_webmaster", "search_console"],
  next_step:
    "Place the key file at key_url, with the key as its only content, and call add_site again with the same host.",
  push_url: `https://beckon.example/push/site_${"0".repeat(20)}`,
  created_at: at,
  verified_at: at,
};
const connection = {
  ...{ object: "connection", id: `con_${"0".repeat(20)}`, kind: "bing_webmaster", status: "failing" },
  ...{ name: "a.rather.long.address@example.com", failure: "access_revoked" },
  ...{ properties: many(5, (i) => `https://www.a-host-${i}.example.com/`) },
};
const sitemap = (length: number) => ({
  sitemap_url: url(0, 2_048),
  format: "urlset",
  sitemaps_read: 1,
  sitemaps_failed: 0,
  urls_found: 50_000,
  urls: many(50, (i) => url(i, length)),
  duplicates: 1,
  invalid: 10,
  modified: { dated: 50_000, last_day: 10_000, last_week: 20_000, last_30_days: 40_000 },
  invalid_examples: many(10, (i) => ({ position: 1_000_000 + i, length: 8_192, reason: "control_character" })),
  already_submitted: 0,
  truncated: false,
  urls_remaining: 100,
  credits: { standard: 10_000, instant: 30_000 },
  warnings: many(11, (i) => `Entry ${i} of the index (${"host.".repeat(50)}): ${"what is wrong with it ".repeat(9)}`),
});

const pattern = `/${"a".repeat(99)}`;
const watch = {
  ...{ object: "watch", id: `wat_${"0".repeat(20)}`, sitemap_url: url(1, 2_048), every: "day", new_pages: "submit" },
  ...{ changed_pages: "notify", removed_pages: "ignore", mode: "standard", most_per_run: 10_000, recheck: "off" },
  ...{ include: many(50, () => pattern), exclude: many(50, () => pattern), credits_per_month: 10_000_000 },
  ...{ stop_when_indexed: false, status: "held", reason: "credential_ended", pages: 1_000_000, waiting: 1_000_000 },
  ...{ hook_url: `https://beckon.test/hooks/wat_${"0".repeat(20)}` },
  ...{ next_run_at: at, spent_this_month: 10_000_000, estimated_credits_per_month: 10_000_000, created_at: at },
};

const share = {
  ...{ object: "share", id: `shr_${"0".repeat(20)}`, url: null, project_id: "prj_b27wefbrxdw13", host: null },
  ...{ title: project.name, from: "f".repeat(80), expires_at: at, created_at: at, last_seen_at: at },
};
const coverage = {
  ...{ host: site.host, site_id: site.id, as_of: at, median_days: 12.3 },
  ...{ pages: 1_000_000, in_google: 100_000, not_in_google: 800_000, unknown: 100_000 },
  reasons: many(5, () => ({ reason: "page_with_redirect_to_another", count: 100_000 })),
  series: many(30, () => ({ day: "2026-01-19", pages: 1_000_000, in_google: 100_000 })),
};
const sums = { name: project.name, spent: 1_000_000, returned: 1_000_000 };
const limited = { limit: 1_000_000_000, spent: 1_000_000, remaining: 1_000_000, resets_at: at };

/** The default page at its worst, of every operation that answers a list. */
const WORST: Record<string, readonly Record<string, unknown>[]> = {
  list_links: [100, 200, 1_000, 4_096].map((length) => ({ links: many(20, (i) => link(i, length)), has_more: false })),
  read_sitemap: [90, 200, 1_000, 4_096].map(sitemap),
  list_projects: [{ projects: many(20, () => project), has_more: true }],
  list_orders: [{ orders: many(20, () => order), has_more: true }],
  get_spend_report: [
    {
      ...{ object: "spend_report", from: "2026-01-01", to: "2026-01-14", spent: 1_000_000, returned: 1_000_000 },
      by_credential: many(10, () => ({ credential_id: "grt_0123456789abcdefghjk", kind: "agent", ...sums })),
      by_person: many(10, () => ({
        person_id: "per_0123456789abcdefghjk",
        role: "manager",
        email: null,
        spent: 1_000_000,
        returned: 1_000_000,
      })),
      budget: { account_day: { ...limited }, account_month: { ...limited } },
      by_day: many(14, () => ({ day: "2026-01-14", spent: 1_000_000, returned: 1_000_000 })),
      by_project: many(10, () => ({ project_id: "prj_b27wefbrxdw13", ...sums })),
    },
  ],
  search: [100, 4_096].map((length) => ({
    links: many(5, (i) => link(i, length)),
    projects: many(5, () => project),
    sites: many(5, () => site),
    orders: many(5, () => order),
    complete: true,
  })),
  list_sites: [{ sites: many(20, () => site), has_more: true, connections: many(20, () => connection) }],
  list_activity: [{ activity: many(20, () => change), has_more: true }],
  list_events: [{ events: many(20, () => event), has_more: true }],
  list_webhooks: [{ webhooks: many(50, () => webhook), has_more: true }],
  list_watches: [{ watches: many(20, () => watch), has_more: true }],
  list_shares: [{ shares: many(50, () => share), has_more: true }],
  list_deliveries: [{ deliveries: many(10, () => delivery), has_more: true }],
  list_ledger: [{ entries: many(50, () => entry), has_more: true }],
  get_report: [report],
  get_coverage: [{ hosts: many(5, () => coverage), has_more: true }],
  get_link: [
    {
      ...link(1, 4_096),
      bing_check: { at, result: "not_indexed", reason: "never_crawled" },
      checks: many(30, () => check),
      crawls: many(6, () => ({ engine: "google", at, source: "url_inspection", as: "mobile", status: "successful" })),
      access: Object.fromEntries(AGENTS.map((agent) => [agent, { allowed: false, by: "content_signal" }])),
      facts: {
        referring_urls: many(5, (i) => url(i, 200)),
        only_sitemap: false,
        user_canonical: url(6, 200),
        google_canonical: url(7, 200),
        page_changed_at: at,
        doubtful_crawl_time: "before_discovery",
      },
      advice,
      visits: many(6, () => visit),
    },
  ],
};

/** Lists that nobody can make long. */
const SHORT = [
  "watch_sitemap",
  "get_watch",
  "run_watch",
  "delete_webhook",
  "save_webhook",
  "get_pricing",
  "get_account",
  "estimate_cost",
  "submit_urls",
  "check_urls",
  "submit_sitemap",
  "resubmit",
  "update_project",
  "add_site",
];

/** Lists with a row for each item that the caller wrote into the call itself. */
const AS_LONG_AS_THE_CALL = ["notify_urls"];

test("every operation that returns a list is covered", () => {
  const lists = operations.filter((one) => isOn(one, "mcp") && JSON.stringify(outputSchema(one)).includes('"array"'));
  expect(lists.map(({ name }) => name).sort()).toEqual(
    [...Object.keys(WORST), ...SHORT, ...AS_LONG_AS_THE_CALL].sort(),
  );
});

describe.each(Object.entries(WORST))("%s", (name, worst) => {
  const operation = operationOf(name)!;
  const call = { operation, input: {} };

  test.each(worst)(`the default page is at most ${BUDGET} tokens`, (answer) => {
    operation.output.parse(answer);
    const limit = (operation.input.shape.limit?.parse(undefined) as number | undefined) ?? 0;
    const lengths = Object.values(answer).map((value) => (Array.isArray(value) ? value.length : 0));
    // What is tried is a whole default page.
    if (operation.agentDefaults ?? limit)
      expect(lengths).toContain(operation.agentDefaults?.limit ?? operation.agentDefaults?.rows ?? limit);
    const text = fitPage(call, JSON.stringify(answer));
    expect(encode(text).length).toBeLessThanOrEqual(BUDGET);
    operation.output.parse(JSON.parse(text));
  });

  test("a page with a requested limit is less than the 25,000 tokens at which hosts cut it", () => {
    const text = fitPage({ ...call, input: { limit: 500 } }, JSON.stringify(worst.at(-1)));
    expect(encode(text).length).toBeLessThan(25_000);
  });
});

test("an ordinary page of 20 links is whole", () => {
  const { warnings, ...ordinary } = link(1, 80);
  const never = { indexed_at: null, first_found_at: null, last_found_at: null };
  const none = { error_code: null, error_message: null, next_check_at: null, ...never };
  const skipped = { ...engine, crawled_at: null };
  const engines = { google: skipped, bing: skipped, yandex: engine };
  const open = { ...ordinary, ...none, engines, warnings: warnings.slice(2) };
  const text = JSON.stringify({ links: many(20, () => open), has_more: false });
  expect(fitPage({ operation: operationOf("list_links")!, input: {} }, text)).toBe(text);
});

describe("over MCP", async () => {
  const service = await testService();
  afterAll(() => service.close());
  const post = poster(service.url);
  const { key } = await service.account();
  const call = async (name: string, args: object) => (await post(toolCall(name, args), { key })).json.result;
  const urls = many(30, (i) => url(i, 4_096));

  test("200: links of the longest URLs come a few at a time, each once, until has_more is false", async () => {
    const { project: made } = (await call("submit_urls", { urls })).structuredContent;
    const found: string[] = [];
    for (let more = true; more; ) {
      const { content, structuredContent } = await call("list_links", { project_id: made.id, offset: found.length });
      expect(encode(content[0].text).length).toBeLessThanOrEqual(BUDGET);
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      found.push(...structuredContent.links.map((one: { url: string }) => one.url));
      more = structuredContent.has_more;
    }
    expect(found).toEqual(urls);
    const { contents } = (
      await post(
        { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: `beckon://projects/${made.id}/links` } },
        { key },
      )
    ).json.result;
    expect(encode(contents[0].text).length).toBeLessThanOrEqual(BUDGET);
  });

  test("200: a sitemap says how many URLs are left behind a page that was cut", async () => {
    const sitemap_url = service.site.serve("/long.xml", urlset(urls));
    const first = (await call("read_sitemap", { sitemap_url })).structuredContent;
    expect(first.urls.length).toBeGreaterThan(0);
    expect(first.urls.length).toBeLessThan(5);
    expect([first.urls_found, first.truncated, first.urls_remaining]).toEqual([30, true, 30 - first.urls.length]);
    const next = (await call("read_sitemap", { sitemap_url, offset: first.urls.length })).structuredContent;
    expect(next.urls[0]).toBe(urls[first.urls.length]);
    expect(next.urls_remaining).toBe(30 - first.urls.length - next.urls.length);
  });
});

describe.each(Object.entries(SURFACES).filter(([at]) => at !== "REST"))("%s", (_, connect) => {
  const ready = testService().then(async (service) => {
    const { key } = await service.account({ credits: 500 });
    const client = connect(service);
    const urls = many(400, (i) => url(i, 200));
    const { body } = await client.call("submit_urls", { urls }, { key });
    return { service, key, client, urls, input: { project_id: body.project.id, limit: 500 } };
  });
  afterAll(async () => {
    const { service, client } = await ready;
    await client.close();
    await service.close();
  });

  test("a page of 500 ends before 25,000 tokens, and next_offset leads through all of them once", async () => {
    const { client, key, urls, input } = await ready;
    const found: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { body } = await client.call("list_links", { ...input, offset }, { key });
      expect(encode(JSON.stringify(body)).length).toBeLessThan(25_000);
      found.push(...body.links.map((one: { url: string }) => one.url));
      expect([body.has_more, body.next_offset]).toEqual(
        found.length < urls.length ? [true, found.length] : [false, undefined],
      );
      offset = body.next_offset;
    }
    expect(found).toEqual(urls);
  });

  test.each([[["id", "status"]], ["id, status"]])(
    "fields: only these columns, and more records in a page",
    async (fields) => {
      const { client, key, urls, input } = await ready;
      const { body } = await client.call("list_links", { ...input, fields }, { key });
      expect(body.links).toHaveLength(urls.length);
      expect(body.links[0]).toEqual({ id: expect.stringMatching(/^lnk_/), status: "waiting" });
      expect(body.has_more).toBe(false);
    },
  );

  test("invalid_request: a column that there is none of, with the nearest", async () => {
    const { client, key, input } = await ready;
    const { code, body } = await client.call("list_links", { ...input, fields: ["statuss"] }, { key });
    const message = "names something that is no column; did you mean `status`?";
    expect([code, body.issues]).toEqual(["invalid_request", [{ path: "fields", message }]]);
  });
});
