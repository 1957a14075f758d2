import { unpackPositions } from "../../platform/link-set.ts";
import type { Evidence } from "./evidence.ts";
import type { CheckResult } from "./states.ts";

/** How many links Bing has by its last answers about each; null where it was not asked. */
export function bingCounts(checks: Evidence["bingChecks"]): Record<CheckResult, number> | null {
  const last = new Map<number, CheckResult>();
  for (const { what, links } of checks) for (const position of unpackPositions(links)) last.set(position, what.result);
  if (last.size === 0) return null;
  const counts = { indexed: 0, not_indexed: 0, unknown: 0 };
  for (const result of last.values()) counts[result] += 1;
  return counts;
}
