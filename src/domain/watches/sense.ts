import { createHash } from "node:crypto";
import type { ListOf } from "../../platform/long-list.ts";
import { Slices } from "../../platform/slices.ts";
import type { Reading } from "./apply-plan.ts";
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
function holdReason(
  { known, fresh, changed, removed }: Difference,
  { changedPages }: Pick<WatchSettings, "changedPages">,
): HoldReason | null {
  if (known < FEWEST) return null;
  if (removed.length * 10 >= known * 3) return "many_removed";
  if (fresh.length * 2 > known) return "many_new";
  if (changedPages !== "ignore" && changed.length * 2 > known) return "many_changed";
  return null;
}

/** What holds a run, and which pages it is about: a release is for these alone. */
export interface Hold {
  readonly reason: HoldReason;
  /** SHA-256 of the new, changed and removed pages. */
  readonly digest: string;
}

/** Pages between two looks at the time. */
const PIECES = 256;

/** What holds a run that is not the first; null: it makes sense. */
export async function holdOf(
  { listing, known, difference }: Reading,
  settings: Pick<WatchSettings, "changedPages">,
): Promise<Hold | null> {
  const reason = holdReason(difference, settings);
  if (reason === null) return null;
  const { fresh, changed, removed } = difference;
  const hash = createHash("sha256");
  const slices = new Slices();
  const write = async (pages: ListOf<number>, nameOf: (page: number) => string) => {
    hash.update(`${pages.length}\n`);
    for (let at = 0; at < pages.length; at++) {
      hash.update(`${nameOf(pages.at(at)!)}\n`);
      if (at % PIECES === 0 && slices.isOver()) await slices.next();
    }
  };
  await write(fresh, (page) => listing.urls.at(page)!);
  await write(settings.changedPages === "ignore" ? [] : changed, (page) => listing.urls.at(page)!);
  await write(removed, (page) => known.hashOf(page).join());
  return { reason, digest: hash.digest("hex") };
}
