import { z } from "zod";
import { AGENTS, type Agent, accessIn, KEPT_OUT_BY } from "../../domain/projects/access.ts";
import {
  type Crawl,
  type CrawlEngine,
  DOUBTFUL_TIMES,
  ENGINE_OF,
  isCrawlSource,
  type LinkFact,
} from "../../domain/projects/facts.ts";
import { iso } from "../../platform/clock.ts";

const time = z.string().nullable();

const Allowed = z.object({ allowed: z.boolean().nullable(), by: z.enum(KEPT_OUT_BY).nullable() });

/** What get_link says of a link besides the fields of a list and its checks. */
export const LINK_FACTS = {
  crawls: z
    .array(
      z.object({
        engine: z.enum(["google", "bing"]),
        at: z.string(),
        source: z.enum(["url_inspection", "bing_url_info", "visits"]),
        as: z.string().nullable(),
        status: z.string().nullable(),
      }),
    )
    .describe("Newest first"),
  access: z.object(Object.fromEntries(AGENTS.map((agent) => [agent, Allowed])) as Record<Agent, typeof Allowed>),
  facts: z.object({
    referring_urls: z.array(z.string()).nullable(),
    only_sitemap: z.boolean().nullable(),
    user_canonical: z.string().nullable(),
    google_canonical: z.string().nullable(),
    page_changed_at: time,
    doubtful_crawl_time: z.enum(DOUBTFUL_TIMES).nullable(),
  }),
};

/** A crawl of an engine that a site's own log says. */
export interface LoggedCrawl {
  readonly engine: CrawlEngine;
  readonly at: number;
  /** The name of the crawler. */
  readonly as: string;
  readonly status: string | null;
}

type Shown = { [Name in keyof typeof LINK_FACTS]: z.output<(typeof LINK_FACTS)[Name]> };

/** @param byLogs crawls that the site's own logs say; `most`: how many crawls are shown */
export function presentFacts(facts: readonly LinkFact[], byLogs: readonly LoggedCrawl[], most: number): Shown {
  return { crawls: crawlsIn(facts, byLogs).slice(0, most), access: accessIn(facts), facts: factsOf(facts) };
}

/** Each crawl once, as the newest check of the page says, and the ones of logs. */
function crawlsIn(facts: readonly LinkFact[], byLogs: readonly LoggedCrawl[]): Shown["crawls"] {
  const crawls = new Map<string, Shown["crawls"][number]>();
  for (const { source, time, shared } of facts) {
    if (!isCrawlSource(source) || time === null) continue;
    const { as = null, status = null } = shared as Crawl["shared"];
    crawls.set(`${source} ${time}`, { engine: ENGINE_OF[source], at: iso(time), source, as, status });
  }
  const logged = byLogs.map(({ at, ...crawl }) => ({ ...crawl, at: iso(at), source: "visits" as const }));
  return [...crawls.values(), ...logged].sort((a, b) => (a.at < b.at ? 1 : -1));
}

function factsOf(facts: readonly LinkFact[]): Shown["facts"] {
  const google = facts.findLast(({ source }) => source === "url_inspection");
  const own = google?.own ?? {};
  const { doubtful = null } = (facts.findLast(({ source }) => isCrawlSource(source))?.shared ?? {}) as Crawl["shared"];
  return {
    referring_urls: own.referring ? [...own.referring] : null,
    only_sitemap: own.onlySitemap ?? null,
    user_canonical: own.userCanonical ?? null,
    google_canonical: own.googleCanonical ?? null,
    page_changed_at: iso(facts.findLast(({ source }) => source === "preflight")?.time ?? null),
    doubtful_crawl_time: doubtful,
  };
}
