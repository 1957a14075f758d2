import { z } from "zod";
import type { Reader } from "../../../db/engine.ts";
import { adviceForLink } from "../../domain/projects/advice.ts";
import { scheduledAt } from "../../domain/projects/create.ts";
import { type CrawlEngine, newestCrawls } from "../../domain/projects/facts.ts";
import { evidenceOf } from "../../domain/projects/findings.ts";
import type { Delivery, LinkRecord, LinkRow, Observation } from "../../domain/projects/read.ts";
import { causeOf } from "../../domain/projects/reasons.ts";
import { CHECK_RESULTS, LINK_STATES } from "../../domain/projects/states.ts";
import { type VisitRow, visitsTo } from "../../indexing/visits/visits.ts";
import { iso } from "../../platform/clock.ts";
import { linkId } from "../../platform/ids.ts";
import { SIZES } from "../../platform/sizes.ts";
import { ADVICE, presentAdvice } from "./advice.ts";
import { LINK_FACTS, presentFacts } from "./link-facts.ts";
import { crawlsByLogs, PageVisits, presentVisits } from "./visits.ts";

const time = z.string().nullable();

const EngineState = z.object({
  status: z.enum(["off", "queued", "sent", "accepted", "skipped", "failed"]),
  provider: z.string().nullable(),
  at: time,
  detail: z.string().nullable(),
});

const CrawlingEngineState = EngineState.extend({ crawled_at: time });

const Check = z.object({
  at: z.string(),
  result: z.enum(CHECK_RESULTS),
  method: z.string(),
  provider: z.string(),
});

/** One URL inside a project. Open: fields may be added. */
export const Link = z
  .object({
    object: z.literal("link"),
    id: z.string(),
    project_id: z.string(),
    url: z.string(),
    status: z.enum(LINK_STATES),
    error_code: z.string().nullable(),
    error_message: z.string().nullable(),
    credits: z.number().int().nullable(),
    credits_returned: z.number().int().nullable(),
    scheduled_at: z.string(),
    sent_at: time,
    checked_at: time,
    next_check_at: time,
    indexed_at: time,
    first_found_at: time,
    last_found_at: time,
    engines: z.object({ google: CrawlingEngineState, bing: CrawlingEngineState, yandex: EngineState }),
    last_check: Check.nullable(),
    warnings: z.array(z.string()),
    created_at: z.string(),
  })
  .meta({ id: "Link" });

/** A link with the evidence of every check. */
export const LinkWithChecks = Link.extend({
  bing_check: z.object({ at: z.string(), result: z.enum(CHECK_RESULTS), reason: z.string().nullable() }).nullable(),
  checks: z
    .array(
      Check.extend({
        look: z.string(),
        reason: z.string().nullable(),
        counts: z.record(z.string(), z.number()).describe("e.g. queries, matches"),
      }),
    )
    .describe("Oldest first"),
  ...LINK_FACTS,
  advice: z.object(ADVICE).nullable(),
  visits: z.array(PageVisits),
}).meta({ id: "LinkWithChecks" });

/** @param visits of crawlers of the engines, at least */
function presentLink(record: LinkRecord, visits: readonly VisitRow[]): z.output<typeof Link> {
  const { project, link, step } = record;
  const isIndex = project.kind === "index";
  const last = record.observations.at(-1) ?? null;
  const cause = causeOf(link, record.observations);
  const { firstFoundAt, foundAt } = evidenceOf(record);
  const [told, logged] = [newestCrawls(record.facts), crawlsByLogs(visits)];
  const crawledAt = (engine: CrawlEngine) => {
    const visitedAt = logged.find((crawl) => crawl.engine === engine)?.at ?? 0;
    return iso(Math.max(told[engine] ?? 0, visitedAt) || null);
  };
  return {
    object: "link",
    id: linkId(project.id, record.position),
    project_id: project.id,
    url: link.url,
    status: link.state,
    error_code: cause?.code ?? null,
    error_message: cause?.message ?? null,
    credits: isIndex ? project.price : null,
    credits_returned: returnedFor(record),
    scheduled_at: iso(scheduledAt(project, record.position)),
    sent_at: iso(link.sentAt),
    checked_at: iso(last?.at ?? null),
    next_check_at: iso(step?.action === "check" ? step.dueAt : null),
    indexed_at: iso(link.indexedAt),
    first_found_at: iso(firstFoundAt),
    last_found_at: iso(foundAt),
    engines: {
      google: { ...engineState(isIndex, record.deliveries.google, link), crawled_at: crawledAt("google") },
      bing: { ...engineState(project.bing, record.deliveries.bing, link), crawled_at: crawledAt("bing") },
      yandex: engineState(project.yandex, record.deliveries.yandex, link),
    },
    last_check: last && presentCheck(last),
    warnings: link.warnings?.split(" ") ?? [],
    created_at: iso(project.createdAt),
  };
}

/** Links as lists show them. */
export async function presentLinks(
  db: Reader,
  accountId: string,
  records: readonly LinkRecord[],
): Promise<z.output<typeof Link>[]> {
  const visits = await visitsTo(db, accountId, { urls: urlsIn(records), which: "crawls" });
  return records.map((record) => presentLink(record, visits.get(record.link.url) ?? []));
}

interface Shown {
  /** Most crawls, and most visits, that are shown of each link. */
  readonly rows?: number;
  readonly siteUrl: string;
}

/** Links with the evidence of their checks. */
export async function presentLinksWithChecks(
  db: Reader,
  accountId: string,
  { records, ...shown }: { readonly records: readonly LinkRecord[] } & Shown,
): Promise<z.output<typeof LinkWithChecks>[]> {
  const visits = await visitsTo(db, accountId, { urls: urlsIn(records), which: "all" });
  return records.map((record) => presentLinkWithChecks(record, visits.get(record.link.url) ?? [], shown));
}

function urlsIn(records: readonly LinkRecord[]): string[] {
  return records.map(({ link }) => link.url);
}

function presentLinkWithChecks(
  record: LinkRecord,
  visits: readonly VisitRow[],
  { rows = SIZES.crawlRows, siteUrl }: Shown,
): z.output<typeof LinkWithChecks> {
  const { bing } = record;
  return {
    ...presentLink(record, visits),
    bing_check: bing && { at: iso(bing.at), result: bing.result, reason: bing.reason },
    checks: record.observations.map((check) => ({
      at: iso(check.at),
      result: check.result,
      method: check.method,
      provider: check.provider,
      look: check.stage,
      reason: check.reason,
      counts: check.counts ? JSON.parse(check.counts) : {},
    })),
    ...presentFacts(record.facts, crawlsByLogs(visits), rows),
    advice: adviceIn(record, siteUrl),
    visits: visits.slice(0, rows).map(presentVisits),
  };
}

/** For a link that failed or is not indexed, as of its last check. */
function adviceIn(
  { link, observations, facts }: LinkRecord,
  siteUrl: string,
): z.output<typeof LinkWithChecks>["advice"] {
  const cause = causeOf(link, observations);
  if (cause === null) return null;
  const warnings = link.warnings?.split(" ") ?? [];
  return presentAdvice(adviceForLink(cause.code, { facts, warnings, now: observations.at(-1)?.at ?? 0 }), siteUrl);
}

/** Null in a check, and for a link that Google had already: what comes back for these is one sum of the project. */
function returnedFor({ project, link }: LinkRecord): number | null {
  if (project.kind !== "index" || link.error === "already_indexed") return null;
  return link.state === "not_indexed" || link.state === "failed" ? project.price : 0;
}

function engineState(on: boolean, delivery: Delivery | null, link: LinkRow): z.output<typeof EngineState> {
  if (!on) return { status: "off", provider: null, at: null, detail: null };
  // A link that failed before it was sent will not be sent.
  if (!delivery && link.state === "failed") return { status: "skipped", provider: null, at: null, detail: link.error };
  if (!delivery) return { status: "queued", provider: null, at: null, detail: null };
  const { status, provider, at, detail } = delivery;
  return { status, provider, at: iso(at), detail };
}

function presentCheck(check: Observation): z.output<typeof Check> {
  return { at: iso(check.at), result: check.result, method: check.method, provider: check.provider };
}
