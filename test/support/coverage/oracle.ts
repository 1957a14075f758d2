import { DAY } from "../../../src/platform/clock.ts";

/** What is known of a link from outside: its URL, when its project was made, and each look at it. */
export interface SeenLink {
  readonly url: string;
  readonly madeAt: number;
  readonly sentAt: number | null;
  /** Oldest first. */
  readonly looks: readonly {
    readonly at: number;
    readonly look: string;
    readonly result: string;
    readonly reason: string | null;
    readonly method: string;
  }[];
}

interface Verdict {
  readonly at: number;
  readonly isThere: boolean;
  readonly reason: string | null;
  readonly sentAt: number | null;
}

/**
 * What the coverage of a host has to be at the end of a day, from the looks alone: for each URL the newest look that found it, or
 * completed two negatives, or had its negative from Google itself.
 * @param until ms; what came later is not known yet
 */
export function coverageFrom(links: readonly SeenLink[], host: string, until: number) {
  const known = links.filter(({ url, madeAt }) => new URL(url).host === host && madeAt < until);
  const byUrl = new Map<string, Verdict[]>();
  for (const link of known) byUrl.set(link.url, [...(byUrl.get(link.url) ?? []), ...verdictsOf(link)]);
  const counts = { pages: byUrl.size, in_google: 0, not_in_google: 0, unknown: 0 };
  const reasons: Record<string, number> = {};
  const days: number[] = [];
  for (const verdicts of byUrl.values()) {
    const past = verdicts.filter(({ at }) => at < until).sort((a, b) => a.at - b.at);
    const first = past.find(({ isThere }) => isThere);
    if (first && first.sentAt !== null) days.push((first.at - first.sentAt) / DAY);
    const newest = past.at(-1);
    if (!newest) counts.unknown += 1;
    else if (newest.isThere) counts.in_google += 1;
    else {
      counts.not_in_google += 1;
      const said = newest.reason ?? "no_match";
      const reason = said === "no_match" && first ? "dropped" : said;
      reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
  }
  return { counts, reasons, days: days.sort((a, b) => a - b) };
}

/** The middle of sorted numbers. */
export function middleOf(sorted: readonly number[]): number | null {
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function verdictsOf({ looks, sentAt }: SeenLink): Verdict[] {
  const verdicts: Verdict[] = [];
  const negatives = new Map<string, number>();
  for (const { at, look, result, reason, method } of looks) {
    if (result === "indexed") verdicts.push({ at, isThere: true, reason: null, sentAt });
    if (result !== "not_indexed") continue;
    negatives.set(look, (negatives.get(look) ?? 0) + 1);
    const isCertain = method === "url_inspection" || negatives.get(look)! > 1;
    if (isCertain) verdicts.push({ at, isThere: false, reason, sentAt });
  }
  return verdicts;
}
