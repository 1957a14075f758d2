import { wilson } from "./wilson.ts";

/** How many of some have a property. `n` is at least 1. */
export interface Share {
  readonly count: number;
  readonly n: number;
}

/**
 * Newcombe's interval of the difference of two independent proportions, 95 %, from a Wilson interval of each
 * (R. G. Newcombe, Statistics in Medicine 17, 1998, p. 873, method 10).
 */
export function newcombe(one: Share, other: Share): { readonly low: number; readonly high: number } {
  const [p1, p2] = [one.count / one.n, other.count / other.n];
  const [w1, w2] = [wilson(one.count, one.n), wilson(other.count, other.n)];
  return {
    low: p1 - p2 - Math.hypot(p1 - w1.low, w2.high - p2),
    high: p1 - p2 + Math.hypot(w1.high - p1, p2 - w2.low),
  };
}

/** Tables that are as likely as the given one may differ from it by rounding. */
const AS_LIKELY = 1 + 1e-7;

/**
 * The two-sided p of Fisher's exact test: how likely a table is that is at most as likely as this one, with the same sums
 * (R. A. Fisher, JRSS 85, 1922, p. 87).
 */
export function fisher(one: Share, other: Share): number {
  const found = one.count + other.count;
  const least = Math.max(0, found - other.n);
  const most = Math.min(one.n, found);
  const factorials = logFactorials(one.n + other.n);
  const ways = (n: number, k: number) => factorials[n]! - factorials[k]! - factorials[n - k]!;
  const all = ways(one.n + other.n, found);
  const likelihood = (count: number) => Math.exp(ways(one.n, count) + ways(other.n, found - count) - all);
  const own = likelihood(one.count) * AS_LIKELY;
  let p = 0;
  for (let count = least; count <= most; count++) {
    const each = likelihood(count);
    if (each <= own) p += each;
  }
  return Math.min(1, p);
}

function logFactorials(most: number): Float64Array {
  const logs = new Float64Array(most + 1);
  for (let n = 2; n <= most; n++) logs[n] = logs[n - 1]! + Math.log(n);
  return logs;
}

/** Standard normal quantiles of 97.5 % and 80 %. */
const Z_TWO_SIDED = 1.959963984540054;
const Z_POWER = 0.8416212335729143;

/**
 * The smallest difference that a comparison of these sizes shows in four of five cases, at the level of 5 %, two-sided
 * (J. L. Fleiss, Statistical Methods for Rates and Proportions, 1981, chapter 3, without continuity correction).
 *
 * @param rate the share without the effect
 * @param n how many have the effect
 * @param others how many do not
 * @returns null where not even all would be enough
 */
export function smallestLift(rate: number, n: number, others: number): number | null {
  const isShown = (lift: number) => {
    const lifted = rate + lift;
    const pooled = (n * lifted + others * rate) / (n + others);
    const byChance = Z_TWO_SIDED * Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / others));
    const spread = Z_POWER * Math.sqrt((lifted * (1 - lifted)) / n + (rate * (1 - rate)) / others);
    return lift > 0 && lift >= byChance + spread;
  };
  let [low, high] = [0, 1 - rate];
  if (!isShown(high)) return null;
  // Halved until the difference is far below what is shown.
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (isShown(middle)) high = middle;
    else low = middle;
  }
  return high;
}
