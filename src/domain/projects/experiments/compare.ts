import { fisher, newcombe, smallestLift } from "../../../platform/two-proportions.ts";

/** What is known of the pages of one arm. */
export interface Arm {
  readonly n: number;
  readonly found: number;
  readonly notFound: number;
}

export const VERDICTS = ["helped", "no_difference_seen", "hurt", "cannot_tell"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Shares, from -1 to 1; null where an arm has no page of which Google's answer is known. */
export interface Comparison {
  /** Share of the sent pages that are in Google, less the share of the held ones. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Only where a count is small. */
  readonly p: number | null;
  readonly smallestLift: number | null;
  readonly verdict: Verdict;
}

const NOTHING_KNOWN: Comparison = {
  ...{ difference: null, low: null, high: null, p: null, smallestLift: null },
  verdict: "cannot_tell",
};

/** A count below this is small: the interval alone is not relied on. */
const SMALL = 5;
const SIGNIFICANT = 0.05;

/** A difference of less counts as none: "no difference" is said only where the interval leaves room for no more. */
const NO_DIFFERENCE = 0.1;

/**
 * Compares the arms as they were chosen, whatever became of their pages since. Pages without a certain answer count in neither.
 * An effect is said only where the whole interval is on one side of zero, and where counts are small only if Fisher's test agrees.
 */
export function compare(sent: Arm, held: Arm): Comparison {
  const [one, other] = [shareOf(sent), shareOf(held)];
  if (one.n === 0 || other.n === 0) return NOTHING_KNOWN;
  const rate = other.count / other.n;
  const { low, high } = newcombe(one, other);
  const isSmall = [sent.found, sent.notFound, held.found, held.notFound].some((count) => count < SMALL);
  const p = isSmall ? fisher(one, other) : null;
  return {
    ...{ difference: one.count / one.n - rate, low, high, p },
    smallestLift: smallestLift(rate, one.n, other.n),
    verdict: verdictOf(low, high, p),
  };
}

/** A share or a difference of shares in percent, with one decimal. */
export function points(share: number | null): number | null {
  return share === null ? null : Math.round(1000 * share) / 10;
}

function shareOf({ found, notFound }: Arm) {
  return { count: found, n: found + notFound };
}

function verdictOf(low: number, high: number, p: number | null): Verdict {
  const isCertain = p === null || p < SIGNIFICANT;
  if (low > 0 && isCertain) return "helped";
  if (high < 0 && isCertain) return "hurt";
  return low > -NO_DIFFERENCE && high < NO_DIFFERENCE ? "no_difference_seen" : "cannot_tell";
}
