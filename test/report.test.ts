import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { presentAdvice } from "../src/contract/shapes/advice.ts";
import { adviceFor } from "../src/domain/projects/advice.ts";
import { COVERAGE_STATES } from "../src/domain/projects/report.ts";
import { verdictOf } from "../src/indexing/engines/live/lookup/coverage.ts";
import { DAY } from "../src/platform/clock.ts";
import { linkKey } from "../src/platform/ids.ts";
import { packPositions } from "../src/platform/link-set.ts";
import { testChecker } from "./support/service/checker.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const FATES = ["hour", "never", "never", "silent", "rejected", "withdrawn"];
const NO_RATE = { rate: null, low: null, high: null, differs: null };
const NONE = { waiting: 0, checking: 0, indexed: 0, gone: 0, not_indexed: 0, unknown: 0, failed: 0, ...NO_RATE };

describe.each(Object.entries(SURFACES))("%s", (_, connect) => {
  const ready = testService().then((service) => ({ service, client: connect(service) }));
  afterAll(async () => {
    const { service, client } = await ready;
    await client.close();
    await service.close();
  });

  test("200: groups by what was found and why, unknown and gone apart; hosts and folders, most URLs first", async () => {
    const { service, client } = await ready;
    const account = await service.account({ credits: 100 });
    const urls = FATES.map(
      (fate, i) => `https://${i < 4 ? "a" : "b"}.example/${i % 2 ? "blog/" : ""}${i}?sandbox=${fate}`,
    );
    const { body: made } = await client.call("submit_urls", { urls }, account);
    const { id } = made.project;
    await testChecker(service).until(service.clock.service() + 25 * DAY);
    const { body } = await client.call("get_report", { project_id: id }, account);
    const at = (...positions: number[]) => positions.map((position) => `lnk_${id.slice(4)}_${position}`);
    const group = (status: string, reason: string, words: string, ...positions: number[]) => {
      const advice = presentAdvice(adviceFor(reason), service.config.siteUrl);
      return { status, reason, words, by: "beckon", count: positions.length, links: at(...positions), ...advice };
    };
    expect(body).toEqual({
      bing: null,
      searchers: null,
      project_id: id,
      groups: [
        group("not_indexed", "no_match", "No search of Google found the page.", 1, 2),
        group("indexed", "indexed", "Google has the page.", 0),
        group("unknown", "unverifiable", "No reliable answer could be obtained; decided in your favour.", 3),
        group("failed", "provider_rejected", "The provider refused this URL.", 4),
        group("gone", "noindex", "Your page says noindex.", 5),
      ],
      found_by_day: [{ day: 4, count: 2 }],
      median_days: 4,
      crawled: {
        google: { fetched: 2, not_fetched: 0, unknown: 3 },
        bing: { fetched: 0, not_fetched: 0, unknown: 5 },
      },
      by_host: [
        { host: "a.example", ...NONE, total: 4, indexed: 1, not_indexed: 2, unknown: 1 },
        { host: "b.example", ...NONE, total: 2, gone: 1, failed: 1 },
      ],
      by_folder: [
        { folder: "a.example/", ...NONE, total: 2, indexed: 1, not_indexed: 1 },
        { folder: "a.example/blog/", ...NONE, total: 2, not_indexed: 1, unknown: 1 },
        { folder: "b.example/", ...NONE, total: 1, failed: 1 },
        { folder: "b.example/blog/", ...NONE, total: 1, gone: 1 },
      ],
    });
    const largest = (await client.call("get_report", { project_id: id, rows: 1 }, account)).body;
    expect([largest.groups, largest.by_host, largest.by_folder].map((list) => list.length)).toEqual([1, 1, 1]);
  });

  test("404 not_found: a project of another account; 400: more rows than there may be", async () => {
    const { service, client } = await ready;
    const [owner, other] = [await service.account(), await service.account()];
    const { body } = await client.call("submit_urls", { urls: ["https://example.com/"] }, owner);
    const { id } = body.project;
    expect((await client.call("get_report", { project_id: id }, other)).code).toBe("not_found");
    expect((await client.call("get_report", { project_id: id, rows: 101 }, owner)).code).toBe("invalid_request");
  });
});

describe("the evidence of a project", async () => {
  const service = await testService();
  afterAll(() => service.close());

  /** A project whose links were looked up with these results, each in a row of its own, oldest first. */
  async function project(
    states: readonly (readonly [state: string, ...rows: readonly (readonly [string, string, string])[]])[],
  ) {
    const { key } = await service.account({ credits: 100 });
    const urls = states.map((_, i) => `https://example.com/${i}`);
    const { json } = await service.request("POST", "/projects", { key, body: { urls } });
    const { id } = json.project;
    await service.db.tx(async ({ q, t }) => {
      const [row] = await q.select().from(t.projects).where(eq(t.projects.id, id));
      const { no, bucket } = row!;
      for (const [position, [state, ...rows]] of states.entries()) {
        await q
          .update(t.links)
          .set({ state: state as "indexed" })
          .where(eq(t.links.id, linkKey(no, position)));
        for (const [result, method, reason] of rows) {
          const { first, last, members } = packPositions([position]);
          const fact = { stage: "day_4", result, method, provider: "p", reason, counts: null } as const;
          await q
            .insert(t.observations)
            .values({ ...fact, result: result as "indexed", bucket, projectNo: no, at: 1, first, last, members });
        }
      }
    });
    return { key, path: `/projects/${id}/report` };
  }

  test("a reason is in Google's own words where Google gave it, and a later check in place of an earlier one", async () => {
    const crawled = ["not_indexed", "url_inspection", "crawled_not_indexed"] as const;
    const { key, path } = await project([
      ["checking", crawled],
      ["not_indexed", ["not_indexed", "serp", "no_match"], crawled],
      ["checking", crawled, ["not_indexed", "serp", "no_match"]],
      ["not_indexed", ["not_indexed", "url_inspection", "duplicate"]],
      ["indexed", ["indexed", "url_inspection", "indexed"], ["not_indexed", "url_inspection", "noindex"]],
    ]);
    const { json } = await service.request("GET", path, { key });
    const google = "Crawled - currently not indexed";
    expect(json.groups.map(({ status, words, by }: Record<string, string>) => [status, words, by])).toEqual([
      ["checking", google, "google"],
      ["not_indexed", google, "google"],
      ["checking", "No search of Google found the page.", "beckon"],
      ["not_indexed", "Google takes your page for a duplicate of another one.", "beckon"],
      ["gone", "Your page says noindex.", "beckon"],
    ]);
  });

  test("CSV: a row for each group of each list, and a cell that a spreadsheet would calculate is quoted", async () => {
    const { key, path } = await project([["checking", ["not_indexed", "serp", "no_match"]], ["waiting"]]);
    const { status, text } = await service.request("GET", path, { key, headers: { Accept: "text/csv" } });
    const lines = text
      .trim()
      .split("\r\n")
      .map((line) => line.replaceAll('"', "").split(",").slice(0, 6).join());
    expect(status).toBe(200);
    expect(lines).toEqual([
      "list,name,count,status,words,by",
      "reason,no_match,1,checking,No search of Google found the page.,beckon",
      "reason,waiting,1,waiting,Not sent yet.,beckon",
      ...["google", "bing"].flatMap((engine) =>
        ["fetched", "not_fetched", "unknown"].map((word) => `crawled,${engine} ${word},0,,,`),
      ),
      "host,example.com,2,,,",
      "folder,example.com/,2,,,",
    ]);
  });

  test("304: nothing has changed", async () => {
    const { key, path } = await project([["waiting"]]);
    const { headers } = await service.request("GET", path, { key });
    const again = { key, headers: { "If-None-Match": headers.get("etag")! } };
    expect((await service.request("GET", path, again)).status).toBe(304);
  });

  test("10,000 URLs of 10,000 folders: the list ends at 100 rows", async () => {
    const { key } = await service.account({ credits: 10_000 });
    const urls = Array.from({ length: 10_000 }, (_, i) => `https://example.com/${i}/page`);
    const { json: made } = await service.request("POST", "/projects", { key, body: { urls } });
    const { json } = await service.request("GET", `/projects/${made.project.id}/report`, { key });
    expect([json.by_host, json.by_folder.length, json.groups[0].count]).toEqual([
      [{ host: "example.com", ...NONE, total: 10_000, waiting: 10_000 }],
      100,
      10_000,
    ]);
  });
});

test.each(Object.entries(COVERAGE_STATES))(
  "law: %s is what we understand by Google's words",
  (reason, coverageState) => {
    expect(verdictOf("https://example.com/", { verdict: "NEUTRAL", coverageState })).toMatchObject({ reason });
  },
);
