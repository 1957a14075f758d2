import { crawlFact } from "../../domain/projects/new-facts.ts";
import type { StepRow } from "../../domain/projects/read.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { DAY } from "../../platform/clock.ts";
import type { BingLookup, BingOutcome, SendOutcome, Sites } from "../engines/engine.ts";
import type { Member } from "./members.ts";
import { type NextStep, Partition } from "./partition.ts";
import { firstCheck } from "./schedule.ts";

/** From the first check to the final one. */
const BETWEEN_CHECKS = (CHECK_DAYS.final - CHECK_DAYS.first) * DAY;

/**
 * The first check in Bing of a link that was sent there. @returns null unless Bing is connected to the link's site
 */
export function firstBingCheck(
  lookup: BingLookup | null,
  { url, outcome, sites, now }: { url: string; outcome: SendOutcome; sites: Sites; now: number },
): NextStep | null {
  const isSent = outcome.kind === "accepted" || outcome.kind === "uncertain";
  const site = isSent && lookup ? sites(url) : null;
  return site && lookup!.covers(site) ? { action: "check", stage: "day_4", dueAt: firstCheck(now) } : null;
}

/** Asks Bing for links on the days of both checks. Nothing is repeated and nothing is decided: an answer is a fact about the link. */
export async function checkInBing(
  lookup: BingLookup | null,
  step: StepRow,
  members: readonly Member[],
  sites: Sites,
): Promise<Partition> {
  const urls = members.map(({ link }) => link.url);
  const outcomes = lookup ? await lookup.check({ urls, asOf: step.dueAt, sites }) : [];
  const partition = new Partition();
  members.forEach(({ position, link }, index) => {
    const { result, reason, crawl }: BingOutcome = outcomes[index] ?? { result: "unknown", reason: "no_verifier" };
    partition.observed(position, {
      result,
      provider: "bing_webmaster",
      method: "url_info",
      reason: reason ?? null,
      counts: null,
    });
    if (crawl) partition.fact(position, crawlFact("bing_url_info", crawl), link.sentAt);
    if (step.stage === "day_14") partition.done(position);
    else partition.next(position, { action: "check", stage: "day_14", dueAt: step.dueAt + BETWEEN_CHECKS });
  });
  return partition;
}
