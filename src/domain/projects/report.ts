import { asc, between } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { bingCounts } from "./bing-checks.ts";
import { type Evidence, evidenceIn } from "./evidence.ts";
import { type CrawlCounts, type CrawlEngine, crawlCounts, type LoggedCrawls, NOTHING_LOGGED } from "./facts.ts";
import { FINDINGS, type Finding, findingOf } from "./findings.ts";
import { type FoundTimes, foundTimes } from "./found-times.ts";
import { reasonCode } from "./outcomes.ts";
import { type Rate, rateOf } from "./rates.ts";
import type { LinkRow, Observation, ProjectRow } from "./read.ts";
import { causeSentence } from "./reasons.ts";
import type { CheckResult } from "./states.ts";
import { partsOf } from "./url-parts.ts";

/** Links of a project with the same finding for the same reason. */
export interface ReasonGroup {
  readonly finding: Finding;
  /** A code of reasons.ts; the finding where the evidence gives no reason. */
  readonly reason: string;
  /** The reason in words: Google's own where it gave one, else a sentence of ours. */
  readonly words: string;
  readonly isInGooglesWords: boolean;
  readonly count: number;
  /** The first links of the group, by position. */
  readonly examples: readonly Example[];
}

interface Example {
  readonly position: number;
  readonly url: string;
}

/** Most examples of a group. */
const EXAMPLES = 20;

/** Links of one host, or of one folder of a host, by finding. */
export interface UrlGroup {
  /** `www.example.com`, or `www.example.com/blog/`. */
  readonly name: string;
  readonly total: number;
  readonly counts: Readonly<Record<Finding, number>>;
  readonly rate: Rate;
}

/** Why the links of a project are as they are. All lists have the most links first. */
export interface Report {
  readonly groups: readonly ReasonGroup[];
  readonly byHost: readonly UrlGroup[];
  readonly byFolder: readonly UrlGroup[];
  readonly found: FoundTimes;
  /** By engine: how many links it has fetched since they were sent, or at all where nothing is sent. */
  readonly crawled: Readonly<Record<CrawlEngine, CrawlCounts>>;
  /** How many links Bing has by its last answers; null where it was not asked. */
  readonly bing: Readonly<Record<CheckResult, number>> | null;
}

/**
 * Reads all links of a project, at most 10,000, and their evidence: two queries.
 * @param logged what access logs say of crawls
 */
export async function reportOf(
  db: Reader,
  project: ProjectRow,
  logged: LoggedCrawls = NOTHING_LOGGED,
): Promise<Report> {
  const evidence = await evidenceIn(db, { no: project.no, from: 0, to: project.total - 1 }, false);
  const { last, firstFound } = resultsOf(evidence.observations);
  const sent: (number | null)[] = [];
  const groups = new Map<string, Reason & { finding: Finding; count: number; examples: Example[] }>();
  const [hosts, folders] = [new UrlGroups(), new UrlGroups()];
  for (const { id, url, ...link } of await linksIn(db, project)) {
    const position = positionOf(id);
    sent[position] = link.sentAt;
    const seen = last[position] ?? null;
    const finding = findingOf(link, seen?.result ?? null);
    const key = `${finding} ${link.error} ${seen?.result} ${seen?.reason} ${seen?.method}`;
    let group = groups.get(key);
    if (!group) {
      // Worded once for each group: there may be thousands of links in one.
      group = { finding, ...reasonOf(project, link, finding, seen), count: 0, examples: [] };
      groups.set(key, group);
    }
    group.count += 1;
    if (group.examples.length < EXAMPLES) group.examples.push({ position, url });
    const { host, folder } = partsOf(url);
    hosts.add(host, finding);
    folders.add(folder, finding);
  }
  return {
    groups: merged([...groups.values()]),
    byHost: hosts.sorted(),
    byFolder: folders.sorted(),
    found: foundTimes(sent, firstFound),
    crawled: crawlCounts({ facts: evidence.facts, logged }, project.kind === "index" ? sent : sent.map(() => 0)),
    bing: bingCounts(evidence.bingChecks),
  };
}

type Link = Pick<LinkRow, "state" | "error">;
type Seen = Pick<Observation, "result" | "reason" | "method">;

async function linksIn(
  db: Reader,
  { no, total }: ProjectRow,
): Promise<(Link & Pick<LinkRow, "id" | "url" | "sentAt">)[]> {
  const { id, url, state, error, sentAt } = db.t.links;
  return db.q
    .select({ id, url, state, error, sentAt })
    .from(db.t.links)
    .where(between(id, linkKey(no, 0), linkKey(no, total - 1)))
    .orderBy(asc(id));
}

/**
 * The last check of each link by position, and the time of the first that found it. A check before sending that did not find the
 * page is left out: it says nothing about the result of sending.
 */
function resultsOf(observations: Evidence["observations"]): { last: Observation[]; firstFound: number[] } {
  const last: Observation[] = [];
  const firstFound: number[] = [];
  for (const { what, links } of observations) {
    if (what.stage === "before_sending" && what.result !== "indexed") continue;
    for (const position of unpackPositions(links)) {
      last[position] = what;
      if (what.result === "indexed") firstFound[position] ??= what.at;
    }
  }
  return { last, firstFound };
}

/** The states of URL Inspection in Google's words, by our reason (indexing/engines/live/lookup/coverage.ts reads them). */
export const COVERAGE_STATES: Readonly<Record<string, string>> = {
  crawled_not_indexed: "Crawled - currently not indexed",
  discovered_not_indexed: "Discovered - currently not indexed",
  unknown_to_google: "URL is unknown to Google",
  noindex: "Excluded by ‘noindex’ tag",
  http_401: "Blocked due to unauthorized request (401)",
  http_403: "Blocked due to access forbidden (403)",
  http_404: "Not found (404)",
  http_4xx: "Blocked due to other 4xx issue",
  soft_404: "Soft 404",
  robots_disallowed: "Blocked by robots.txt",
  redirect: "Page with redirect",
  redirect_error: "Redirect error",
  http_5xx: "Server error (5xx)",
  alternate_canonical: "Alternate page with proper canonical tag",
  removed: "Blocked by page removal tool",
};

type Reason = Pick<ReasonGroup, "reason" | "words" | "isInGooglesWords">;

function reasonOf(project: ProjectRow, link: Link, finding: Finding, seen: Seen | null): Reason {
  const code = reasonCode(link, finding, seen);
  if (code === null)
    return { reason: finding, words: PLAIN_WORDS[project.kind as "index" | "check"][finding], isInGooglesWords: false };
  // A page that is gone was read by us, so the reason is ours and not Google's.
  const isGoogles =
    (seen?.method === "url_inspection" || seen?.method === "sandbox") && finding !== "gone" && finding !== "failed";
  const googles = isGoogles ? COVERAGE_STATES[code] : undefined;
  const state = finding === "failed" || finding === "unknown" ? link.state : "not_indexed";
  return { reason: code, words: googles ?? causeSentence(state, code), isInGooglesWords: googles !== undefined };
}

/** What a finding means where there is no more to say. */
const PLAIN_WORDS: Readonly<Record<"index" | "check", Readonly<Record<Finding, string>>>> = {
  index: wordsFor("Not sent yet.", "Sent, and not decided yet."),
  check: wordsFor("Not looked up yet.", "Being looked up."),
};

function wordsFor(waiting: string, checking: string): Readonly<Record<Finding, string>> {
  return {
    ...{ waiting, checking, indexed: "Google has the page.", gone: "Google had the page, and does not have it now." },
    ...{ not_indexed: "Google does not have the page.", unknown: "There was no reliable answer.", failed: "Not sent." },
  };
}

/** Groups that read the same are one, although their evidence is not. */
function merged(groups: readonly ReasonGroup[]): ReasonGroup[] {
  const byWords = new Map<string, ReasonGroup>();
  for (const group of groups) {
    const key = `${group.finding} ${group.reason} ${group.words}`;
    const same = byWords.get(key) ?? { count: 0, examples: [] };
    const examples = [...same.examples, ...group.examples].sort((a, b) => a.position - b.position);
    byWords.set(key, { ...group, count: same.count + group.count, examples: examples.slice(0, EXAMPLES) });
  }
  return [...byWords.values()].sort((a, b) => b.count - a.count);
}

class UrlGroups {
  readonly #groups = new Map<string, { name: string; total: number; counts: Record<Finding, number> }>();

  add(name: string, finding: Finding): void {
    const group = this.#groups.get(name) ?? { name, total: 0, counts: zero() };
    group.total += 1;
    group.counts[finding] += 1;
    this.#groups.set(name, group);
  }

  sorted(): UrlGroup[] {
    const groups = [...this.#groups.values()];
    const all = zero();
    for (const { counts } of groups) for (const finding of FINDINGS) all[finding] += counts[finding];
    return groups.sort((a, b) => b.total - a.total).map((group) => ({ ...group, rate: rateOf(group.counts, all) }));
  }
}

function zero(): Record<Finding, number> {
  return Object.fromEntries(FINDINGS.map((finding) => [finding, 0])) as Record<Finding, number>;
}
