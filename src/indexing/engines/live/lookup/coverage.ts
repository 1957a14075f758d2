import type { NotIndexedReason } from "../../../../domain/projects/reasons.ts";
import { isSamePage } from "../../../../platform/urls/same-page.ts";
import type { LookupResult } from "../lookup.ts";

/** Coverage states that mean "in the index", in the en-US words of the URL Inspection API, in lower case. */
const INDEXED: readonly string[] = ["submitted and indexed", "indexed, not submitted in sitemap"];

/** Coverage states that mean "not in the index", and our reason for each. */
const NOT_INDEXED: ReadonlyMap<string, NotIndexedReason> = new Map([
  ["crawled - currently not indexed", "crawled_not_indexed"],
  ["discovered - currently not indexed", "discovered_not_indexed"],
  ["url is unknown to google", "unknown_to_google"],
  ["excluded by 'noindex' tag", "noindex"],
  ["not found (404)", "http_404"],
  ["soft 404", "soft_404"],
  ["blocked by robots.txt", "robots_disallowed"],
  ["page with redirect", "redirect"],
  ["server error (5xx)", "server_error"],
  ["alternate page with proper canonical tag", "alternate_canonical"],
]);

/**
 * Whether a URL is in Google's index. "Indexed" needs the verdict PASS or a state that means so. "Not indexed" needs
 * both a negative verdict and a state that means so. If they contradict each other, or are not known to us, the
 * result is unknown.
 * @param status `inspectionResult.indexStatusResult` of the URL Inspection API
 */
export function verdictOf(url: string, status: Readonly<Record<string, unknown>>): Omit<LookupResult, "unitsUsed"> {
  const { verdict, coverageState, googleCanonical } = status;
  const state = normalised(coverageState);
  const refusal = state.startsWith("duplicate") ? "duplicate" : (NOT_INDEXED.get(state) ?? null);
  const isElsewhere = typeof googleCanonical === "string" && !isSamePage(url, googleCanonical);
  // Google's canonical is the text of a stranger and is not stored. Only the fact that it is another page is.
  const counts = { queries: 1, ...(isElsewhere ? { other_canonical: 1 } : {}) };
  if (refusal === null && (verdict === "PASS" || INDEXED.includes(state)))
    return { result: "indexed", authoritative: true, reason: "indexed", counts };
  if (refusal !== null && (verdict === "NEUTRAL" || verdict === "FAIL"))
    return { result: "not_indexed", authoritative: true, reason: refusal, counts };
  return { result: "unknown", reason: "coverage_not_understood", counts };
}

/** Normalises a sentence for comparison: lower case, plain quotes and dashes, single spaces. */
function normalised(text: unknown): string {
  if (typeof text !== "string") return "";
  return text
    .toLowerCase()
    .replace(/[‘’“”"]/g, "'")
    .replace(/[‐-―]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
}
