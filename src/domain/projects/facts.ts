import { indexInSet, unpackPositions } from "../../platform/link-set.ts";
import { timeAt } from "../../platform/packed-times.ts";
import type { FactSource } from "./states.ts";

/**
 * What is known of links besides the results of checks. Facts are stored for sets of links, as observations are: once what the links
 * have in common, and for each link a time of its own. No verdict follows from them.
 */

/** Why a time of a crawl was not believed. */
export const DOUBTFUL_TIMES = ["in_future", "before_discovery", "too_early"] as const;
export type DoubtfulTime = (typeof DOUBTFUL_TIMES)[number];

/** What an engine's webmaster tools said of its last crawl of a page. */
export interface Crawl {
  /** Null: the engine has not crawled the page, or does not say when. */
  readonly crawledAt: number | null;
  readonly shared: {
    /** As which crawler: `desktop`, `mobile`. */
    readonly as?: string;
    /** The outcome: a word of Google's for `pageFetchState`, such as `soft_404`, or a status of HTTP. */
    readonly status?: string;
    /** Google's words for `robotsTxtState` and `indexingState`, where they are not that all is allowed. */
    readonly robots?: string;
    readonly indexing?: string;
    /** The engine says that it never fetched the page. */
    readonly never?: true;
    /** The engine gave a time that cannot be true. */
    readonly doubtful?: DoubtfulTime;
  };
  readonly own: {
    /** Pages that lead to this one. Of other hosts their address without a path, since a path is a stranger's text. */
    readonly referring?: readonly string[];
    readonly onlySitemap?: boolean;
    /** The engine knows pages that lead to this one, and no sitemap that lists it. */
    readonly noSitemap?: true;
    /** Canonicals, of other hosts as their host alone. */
    readonly userCanonical?: string;
    readonly googleCanonical?: string;
    readonly discoveredAt?: number;
  } | null;
}

/** The engine that each source speaks for. */
export const ENGINE_OF = { url_inspection: "google", bing_url_info: "bing" } as const satisfies Partial<
  Record<FactSource, string>
>;
export type CrawlSource = keyof typeof ENGINE_OF;
export type CrawlEngine = (typeof ENGINE_OF)[CrawlSource];

/** What one source said of one link at one time. */
export interface LinkFact {
  readonly source: FactSource;
  readonly at: number;
  readonly shared: Readonly<Record<string, unknown>>;
  readonly time: number | null;
  /** Null also where it was not read. */
  readonly own: Crawl["own"];
}

/** A row of facts about a set of links. */
export interface FactRow {
  readonly source: FactSource;
  readonly at: number;
  readonly shared: string;
  readonly times: Buffer | null;
  readonly own: string | null;
  readonly first: number;
  readonly members: Buffer;
}

/** Facts about links between two positions of a project, oldest first. */
export class Facts {
  readonly #rows: readonly FactRow[];
  /** Parsed once for each row. */
  readonly #parsed = new Map<FactRow, { shared: LinkFact["shared"]; own: readonly Crawl["own"][] }>();

  constructor(rows: readonly FactRow[]) {
    this.#rows = rows;
  }

  of(position: number): LinkFact[] {
    const facts: LinkFact[] = [];
    for (const row of this.#rows) {
      const index = indexInSet(row, position);
      if (index === -1) continue;
      const { shared, own } = this.#parse(row);
      const { source, at, times } = row;
      facts.push({ source, at, shared, time: timeAt(times, index), own: own[index] ?? null });
    }
    return facts;
  }

  #parse(row: FactRow) {
    const known = this.#parsed.get(row);
    if (known) return known;
    const parsed = { shared: JSON.parse(row.shared), own: row.own === null ? [] : JSON.parse(row.own) };
    this.#parsed.set(row, parsed);
    return parsed;
  }
}

/** The newest crawl of each engine that is known; null where none is. */
export function newestCrawls(facts: readonly LinkFact[]): Record<CrawlEngine, number | null> {
  const newest: Record<CrawlEngine, number | null> = { google: null, bing: null };
  for (const { source, time } of facts) {
    if (!isCrawlSource(source) || time === null) continue;
    const engine = ENGINE_OF[source];
    newest[engine] = Math.max(newest[engine] ?? 0, time);
  }
  return newest;
}

export function isCrawlSource(source: FactSource): source is CrawlSource {
  return source in ENGINE_OF;
}

/** Whether a page was crawled since a time, by what an engine's tools said. Crawls have whole seconds. */
export function isCrawledSince(crawledAt: number, since: number): boolean {
  return crawledAt >= Math.floor(since / 1000) * 1000;
}

/** Links by whether an engine has fetched them since they were sent; `unknown` are the ones of which nobody said. */
export type CrawlCounts = Readonly<Record<"fetched" | "not_fetched" | "unknown", number>>;

/** Whether each link was fetched, by position; nothing for a link of which nobody said. */
type Fetched = ReadonlyMap<number, boolean>;

/** The last visit of an engine's crawler to each link, by position, as access logs say. A log says nothing of who did not come. */
export type LoggedCrawls = Readonly<Record<CrawlEngine, ReadonlyMap<number, number>>>;

export const NOTHING_LOGGED: LoggedCrawls = { google: new Map(), bing: new Map() };

/** What is known of the crawls of a project's links: by the tools of engines, and by access logs. */
export interface KnownCrawls {
  readonly facts: readonly FactRow[];
  readonly logged: LoggedCrawls;
}

/**
 * Which links of a project each engine has fetched: since they were sent, or at all where nothing is sent.
 * @param since by position: service time of sending, null for links that are not counted
 */
export function fetchedIn(
  { facts, logged }: KnownCrawls,
  since: readonly (number | null)[],
): Record<CrawlEngine, Fetched> {
  const said = { google: new Map<number, boolean>(), bing: new Map<number, boolean>() };
  for (const row of facts) {
    if (!isCrawlSource(row.source)) continue;
    const ofEngine = said[ENGINE_OF[row.source]];
    const { never } = JSON.parse(row.shared) as Crawl["shared"];
    unpackPositions(row).forEach((position, index) => {
      const sentAt = since[position] ?? null;
      if (sentAt === null) return;
      const crawledAt = timeAt(row.times, index);
      if (crawledAt !== null && isCrawledSince(crawledAt, sentAt)) ofEngine.set(position, true);
      else if ((crawledAt !== null || never) && !ofEngine.has(position)) ofEngine.set(position, false);
    });
  }
  for (const engine of Object.values(ENGINE_OF))
    for (const [position, at] of logged[engine]) {
      const sentAt = since[position] ?? null;
      if (sentAt !== null && isCrawledSince(at, sentAt)) said[engine].set(position, true);
    }
  return said;
}

/** How many links each engine has fetched, and how many it has not. */
export function crawlCounts(known: KnownCrawls, since: readonly (number | null)[]): Record<CrawlEngine, CrawlCounts> {
  const said = fetchedIn(known, since);
  const all = since.filter((time) => time !== null).length;
  return { google: countsIn(said.google, all), bing: countsIn(said.bing, all) };
}

function countsIn(said: Fetched, all: number): CrawlCounts {
  const fetched = [...said.values()].filter(Boolean).length;
  return { fetched, not_fetched: said.size - fetched, unknown: all - said.size };
}
