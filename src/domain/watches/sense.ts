import type { Difference } from "./difference.ts";
import type { WatchSettings } from "./settings.ts";

/** Fewer known pages than this, and any share of them may be new, changed or gone. */
const FEWEST = 20;

/** Why a run changes nothing until somebody has looked. */
export const HOLD_REASONS = ["many_removed", "many_new", "many_changed"] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/**
 * Whether a difference is more likely a mistake of the site than what has happened there: more than half of its pages are new or
 * have changed at once, as with a `lastmod` that every build sets, or 30 % of them have vanished.
 * @returns null when it makes sense
 */
export function holdReason(
  { known, fresh, changed, removed }: Difference,
  { changedPages }: Pick<WatchSettings, "changedPages">,
): HoldReason | null {
  if (known < FEWEST) return null;
  if (removed.length * 10 >= known * 3) return "many_removed";
  if (fresh.length * 2 > known) return "many_new";
  if (changedPages !== "ignore" && changed.length * 2 > known) return "many_changed";
  return null;
}
