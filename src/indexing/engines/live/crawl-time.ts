import type { DoubtfulTime } from "../../../domain/projects/facts.ts";
import { MINUTE } from "../../../platform/clock.ts";

/** How far the clock of a provider may be ahead of ours. */
const SKEW = 10 * MINUTE;

/** No engine that we ask is older. */
const EARLIEST = Date.UTC(1998, 0, 1);

/**
 * The time of a crawl as an engine says it, if it can be true.
 * @param now service time of the answer
 * @param discoveredAt when the engine says it first saw the address
 */
export function plausibleCrawl(
  at: number,
  now: number,
  discoveredAt: number | null = null,
): { readonly crawledAt: number | null; readonly doubtful?: DoubtfulTime } {
  if (at > now + SKEW) return { crawledAt: null, doubtful: "in_future" };
  if (at < EARLIEST) return { crawledAt: null, doubtful: "too_early" };
  if (discoveredAt !== null && at < discoveredAt) return { crawledAt: null, doubtful: "before_discovery" };
  return { crawledAt: at };
}
