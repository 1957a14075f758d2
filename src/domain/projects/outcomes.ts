import type { Reader } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { evidenceIn } from "./evidence.ts";
import { type CrawlEngine, fetchedIn, type LoggedCrawls, NOTHING_LOGGED } from "./facts.ts";
import { type Finding, findingOf } from "./findings.ts";
import type { LinkRow, Observation, ProjectRow } from "./read.ts";
import { causeOf } from "./reasons.ts";
import { timelineOf } from "./timeline.ts";

/** What was found of a link, and why: the groups of a report, link by link. */
export interface Outcome {
  readonly finding: Finding;
  /** A code of reasons.ts; the finding where the evidence gives no reason. */
  readonly reason: string;
  /** Whole days from sending to the check that first found it; null where none did, or it was not sent. */
  readonly foundDay: number | null;
  /** Service time. */
  readonly sentAt: number | null;
}

/** Which links, by what became of them. Absent: any. */
export interface OutcomeFilter {
  readonly finding?: Finding | undefined;
  readonly reason?: string | undefined;
  /** First found by the end of this day after sending. */
  readonly foundBy?: number | undefined;
  /** Of which it is known that this engine has fetched them since they were sent, or that it has not, or nothing: null. */
  readonly crawl?: { readonly engine: CrawlEngine; readonly isFetched: boolean | null } | undefined;
}

/** By position. */
export async function outcomesOf(db: Reader, project: ProjectRow): Promise<Outcome[]> {
  const { links, last, found } = await timelineOf(db, project);
  return links.map((link, position) => {
    const seen = last[position] ?? null;
    const finding = findingOf(link, seen?.result ?? null);
    const { sentAt } = link;
    const foundAt = found[position]!;
    const isFoundAfter = sentAt !== null && foundAt > 0 && foundAt >= sentAt;
    return {
      finding,
      reason: reasonCode(link, finding, seen) ?? finding,
      foundDay: isFoundAfter ? Math.floor((foundAt - sentAt) / DAY) : null,
      sentAt,
    };
  });
}

/**
 * @param logged reads what access logs say of crawls
 * @returns says of a position whether the filter lets its link through
 */
export async function outcomeTest(
  db: Reader,
  project: ProjectRow,
  outcomes: readonly Outcome[],
  { finding, reason, foundBy, crawl }: OutcomeFilter,
  logged: () => Promise<LoggedCrawls | undefined>,
): Promise<(position: number) => boolean> {
  const since = crawlsSince(project, outcomes);
  const known = crawl && { facts: await factsOf(db, project), logged: (await logged()) ?? NOTHING_LOGGED };
  const fetched = known && fetchedIn(known, since)[crawl.engine];
  return (position) => {
    const outcome = outcomes[position]!;
    return (
      (finding === undefined || outcome.finding === finding) &&
      (reason === undefined || outcome.reason === reason) &&
      (foundBy === undefined || (outcome.foundDay !== null && outcome.foundDay <= foundBy)) &&
      (fetched === undefined || (since[position] !== null && (fetched.get(position) ?? null) === crawl!.isFetched))
    );
  };
}

async function factsOf(db: Reader, { no, total }: ProjectRow) {
  return (await evidenceIn(db, { no, from: 0, to: total - 1 }, false)).facts;
}

/** From when on a crawl of each link counts: since it was sent, or at all where nothing is sent. */
function crawlsSince({ kind }: ProjectRow, outcomes: readonly Outcome[]): (number | null)[] {
  return outcomes.map(({ sentAt }) => (kind === "index" ? sentAt : 0));
}

/** Why a link is as it is, as a code of reasons.ts; null where the evidence gives no reason. */
export function reasonCode(
  link: Pick<LinkRow, "state" | "error">,
  finding: Finding,
  seen: Pick<Observation, "result" | "reason"> | null,
): string | null {
  if (finding === "failed" || finding === "unknown") return link.error;
  if (finding === "not_indexed") return causeOf(link, seen ? [seen] : [])!.code;
  if (finding === "gone") return seen?.reason == null || seen.reason === "no_match" ? "dropped" : seen.reason;
  return finding === "checking" && seen?.result === "not_indexed" ? (seen.reason ?? "no_match") : null;
}
