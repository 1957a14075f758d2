import { Refusal } from "../../../platform/errors/errors.ts";
import { SIZES } from "../../../platform/sizes.ts";

/** Why no pages can be held out. */
const REASONS = {
  too_few: `At least ${SIZES.fewestHeld} pages have to be held out for a comparison. Send more URLs, or a larger percentage.`,
  skip_indexed: "With skip_indexed only some pages would be sent, so that the two groups could not be compared.",
  sitemap_provider:
    "A provider of this service hands Google whole sitemaps, with the held pages in them. No page can be kept from it.",
  watch_submits:
    "A watch of the account submits pages of a host of the list. Pause it, or let it submit nothing, before the experiment.",
} as const;
export type HoldoutProblem = keyof typeof REASONS;

export function holdoutNotPossible(reason: HoldoutProblem, more: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal("holdout_not_possible", `${REASONS[reason]} Nothing was spent.`, { reason, ...more });
}
