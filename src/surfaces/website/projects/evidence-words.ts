import { LINK_CODES } from "../../../contract/shapes/link-codes.ts";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { formatNumber } from "../../../platform/format.ts";

/** The words in which a page shows the evidence of a link; the API has the codes. */

export const ENGINE_NAMES = { google: "Google", bing: "Bing", yandex: "Yandex" } as const;

/** Which check of the schedule it was. */
export const STAGE_LABELS: Readonly<Record<string, string>> = {
  early: "First hour",
  day_4: `Day ${CHECK_DAYS.first}`,
  day_14: `Day ${CHECK_DAYS.final}`,
  check: "Index check",
};

/** What a warning means; "" for one of an earlier version. */
export function warningSentence(code: string): string {
  const words = wordsOf(LINK_CODES.warnings.codes, code);
  return words === "" ? "" : `${words}.`;
}

const ENGINE_STATUSES = {
  off: "Not chosen",
  queued: "Waiting to be sent",
  sent: "Sent; it is not known whether it was accepted",
  accepted: "Accepted",
  skipped: "Skipped",
  failed: "Refused",
} as const;

export function statusOfEngine(status: keyof typeof ENGINE_STATUSES): string {
  return ENGINE_STATUSES[status];
}

/** What the detail of an engine means; "" for the error code of a link that was not sent, which the page explains above. */
export function detailWords(detail: string): string {
  return wordsOf(LINK_CODES.details.codes, detail);
}

/** Why a check had its result; "" for a reason of an earlier version. */
export function reasonWords(reason: string): string {
  return wordsOf(LINK_CODES.reasons.codes, reason);
}

function wordsOf(codes: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(codes, code) ? codes[code]! : "";
}

/** The counts of a check: "queries 2, results 10, matches 0". */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const pairs = Object.entries(counts).map(([name, count]) => `${name.replaceAll("_", " ")} ${formatNumber(count)}`);
  return pairs.join(", ") || "–";
}

/** What a reason of get_report means, as a sentence; "" for a finding that stands in its place. */
export function reasonSentence(reason: string): string {
  const { notIndexed, failed } = LINK_CODES;
  const words = wordsOf(notIndexed.codes, reason) || wordsOf(failed.codes, reason);
  return words === "" ? "" : `${words.replace(/^./, (first) => first.toUpperCase())}.`;
}
