import { wilson } from "../../platform/wilson.ts";
import type { Finding } from "./findings.ts";

/** How many of the decided links of a group are in Google, with what chance leaves open. Percent, with one decimal. */
export interface Rate {
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Against all other links of the project; null where the intervals meet or there is too little to say. */
  readonly differs: "better" | "worse" | null;
}

/** Fewest decided links of which a rate is said, in the group and in the others. */
const FEWEST = 20;

const NONE: Rate = { rate: null, low: null, high: null, differs: null };

type Counts = Readonly<Record<Finding, number>>;

/**
 * The rate of a group, and whether it differs from the rest: only where its whole interval is beside the whole interval of all
 * other links. Links that nobody could decide count in neither.
 */
export function rateOf(group: Counts, all: Counts): Rate {
  const own = decided(group);
  if (own.n < FEWEST) return NONE;
  const { low, high } = wilson(own.there, own.n);
  const whole = decided(all);
  const others = { there: whole.there - own.there, n: whole.n - own.n };
  return {
    rate: percent(own.there / own.n),
    low: percent(low),
    high: percent(high),
    differs: differs({ low, high }, others),
  };
}

function differs(own: { low: number; high: number }, others: { there: number; n: number }): Rate["differs"] {
  if (others.n < FEWEST) return null;
  const rest = wilson(others.there, others.n);
  if (own.low > rest.high) return "better";
  return own.high < rest.low ? "worse" : null;
}

function decided({ indexed, gone, not_indexed: missing }: Counts): { there: number; n: number } {
  return { there: indexed, n: indexed + gone + missing };
}

function percent(share: number): number {
  return Math.round(1000 * share) / 10;
}
