import { z } from "zod";
import { CRAWLER_NAMES, type CrawlerName, crawlerNamed, engineOf, PURPOSES } from "../../indexing/visits/crawlers.ts";
import { VERIFICATIONS, type Verification } from "../../indexing/visits/verify.ts";
import type { SearcherVisits, VisitRow } from "../../indexing/visits/visits.ts";
import { iso } from "../../platform/clock.ts";
import type { LoggedCrawl } from "./link-facts.ts";

/** The visits of one crawler to one page. Open: fields may be added. */
export const PageVisits = z
  .object({
    agent: z.string(),
    engine: z.enum(["google", "bing", "yandex"]).nullable(),
    purpose: z.enum(PURPOSES).describe("person: an assistant reads it for somebody who asks"),
    first_at: z.string(),
    last_at: z.string(),
    count: z.number().int(),
    status: z.number().int().nullable().describe("Of the last answer"),
    verified: z
      .enum(VERIFICATIONS)
      .describe("range: its address is in a list of its operator; dns: its name is; no: it says so"),
  })
  .meta({ id: "PageVisits" });

export function presentVisits(row: VisitRow): z.output<typeof PageVisits> {
  const crawler = CRAWLER_NAMES.includes(row.agent as CrawlerName) ? crawlerNamed(row.agent as CrawlerName) : null;
  return {
    agent: row.agent,
    engine: crawler?.engine ?? null,
    purpose: crawler?.purpose ?? "other",
    first_at: iso(row.firstAt),
    last_at: iso(row.lastAt),
    count: row.count,
    status: row.status,
    verified: row.verified as Verification,
  };
}

/** The first and the last crawl of each engine's verified crawlers, the newest first. Logs keep the status of the last alone. */
export function crawlsByLogs(visits: readonly VisitRow[]): LoggedCrawl[] {
  const crawls = visits.flatMap(({ agent, verified, firstAt, lastAt, status }) => {
    const engine = CRAWLER_NAMES.includes(agent as CrawlerName) ? engineOf(agent as CrawlerName) : null;
    if (engine === null || verified === "no") return [];
    const last = { engine, at: lastAt, as: agent, status: status === null ? null : String(status) };
    return firstAt === lastAt ? [last] : [last, { ...last, at: firstAt, status: null }];
  });
  return crawls.sort((one, other) => other.at - one.at);
}

/** Whether a searcher of agents came, as a report says it. Open: fields may be added. */
export const Searcher = z.object({
  agent: z.string(),
  pages: z.number().int().describe("Pages with a verified visit"),
  pages_unverified: z.number().int().describe("Pages where somebody only claims to be it"),
  last_at: z.string().nullable().describe("The last verified visit"),
});

export function presentSearcher({ agent, verified, unverified, lastAt }: SearcherVisits): z.output<typeof Searcher> {
  return { agent, pages: verified, pages_unverified: unverified, last_at: iso(lastAt) };
}
