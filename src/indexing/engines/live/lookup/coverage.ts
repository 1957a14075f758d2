import type { NotIndexedReason } from "../../../../domain/projects/reasons.ts";
import { isSamePage } from "../../../../platform/urls/same-page.ts";
import type { LookupResult } from "../lookup.ts";

type Status = Readonly<Record<string, unknown>>;

/**
 * Whether a URL is in Google's index. "Indexed" needs a state that means so, or the verdict PASS and no state that
 * means the opposite. "Not indexed" needs the verdict NEUTRAL or FAIL and a reason. Anything else is unknown.
 * @param status `inspectionResult.indexStatusResult` of the URL Inspection API
 */
export function verdictOf(url: string, status: Status): Omit<LookupResult, "unitsUsed"> {
  const { verdict, coverageState, googleCanonical } = status;
  const state = lettersOf(coverageState);
  const stated = state.startsWith("duplicate") ? "duplicate" : (NOT_INDEXED.get(state) ?? null);
  const isElsewhere = typeof googleCanonical === "string" && !isSamePage(url, googleCanonical);
  // Google's canonical is the text of a stranger and is not stored. Only the fact that it is another page is.
  const counts = { queries: 1, ...(isElsewhere ? { other_canonical: 1 } : {}) };
  if (INDEXED.has(state) || (verdict === "PASS" && stated === null))
    return { result: "indexed", authoritative: true, reason: "indexed", counts };
  const reason = reasonByField(status) ?? stated;
  if (reason !== null && (verdict === "NEUTRAL" || verdict === "FAIL"))
    return { result: "not_indexed", authoritative: true, reason, counts };
  return { result: "unknown", reason: "coverage_not_understood", counts };
}

/** The states that mean "in the index", in the en-US words of the API. */
const INDEXED: ReadonlySet<string> = new Set(
  [
    "Submitted and indexed",
    "Indexed, not submitted in sitemap",
    "Indexed, though blocked by robots.txt",
    "Indexed; consider marking as canonical",
    "Indexed without content",
    "Page indexed without content",
  ].map(lettersOf),
);

/**
 * The states that mean "not in the index", and our reason for each. They are the reasons of the Page indexing report
 * (https://support.google.com/webmasters/answer/7440203), with those of its earlier versions. All that begin with
 * "Duplicate" mean the same to us, and are not listed.
 */
const STATES: Readonly<Record<string, NotIndexedReason>> = {
  "Crawled - currently not indexed": "crawled_not_indexed",
  "Discovered - currently not indexed": "discovered_not_indexed",
  "URL is unknown to Google": "unknown_to_google",
  "Excluded by 'noindex' tag": "noindex",
  "URL marked 'noindex'": "noindex",
  "Submitted URL marked 'noindex'": "noindex",
  "Blocked due to unauthorized request (401)": "http_401",
  "Submitted URL returns unauthorized request (401)": "http_401",
  "Blocked due to access forbidden (403)": "http_403",
  "Submitted URL returned 403": "http_403",
  "Not found (404)": "http_404",
  "Submitted URL not found (404)": "http_404",
  "Blocked due to other 4xx issue": "http_4xx",
  "URL blocked due to other 4xx issue": "http_4xx",
  "Submitted URL blocked due to other 4xx issue": "http_4xx",
  "Soft 404": "soft_404",
  "Submitted URL seems to be a Soft 404": "soft_404",
  "Blocked by robots.txt": "robots_disallowed",
  "URL blocked by robots.txt": "robots_disallowed",
  "Submitted URL blocked by robots.txt": "robots_disallowed",
  "Page with redirect": "redirect",
  "Redirect error": "redirect_error",
  "Server error (5xx)": "http_5xx",
  "Submitted URL has crawl issue": "crawl_error",
  "Crawl anomaly": "crawl_error",
  "Alternate page with proper canonical tag": "alternate_canonical",
  "Submitted URL not selected as canonical": "duplicate",
  "Blocked by page removal tool": "removed",
};

const NOT_INDEXED: ReadonlyMap<string, NotIndexedReason> = new Map(
  Object.entries(STATES).map(([state, reason]) => [lettersOf(state), reason]),
);

/**
 * The fields of the last crawl, with the values that keep a page out of the index
 * (https://developers.google.com/webmaster-tools/v1/urlInspection.index/UrlInspectionResult). They are documented, and
 * the state is prose.
 */
const FIELDS: Readonly<Record<string, Readonly<Record<string, NotIndexedReason>>>> = {
  pageFetchState: {
    SOFT_404: "soft_404",
    BLOCKED_ROBOTS_TXT: "robots_disallowed",
    NOT_FOUND: "http_404",
    ACCESS_DENIED: "http_401",
    ACCESS_FORBIDDEN: "http_403",
    BLOCKED_4XX: "http_4xx",
    SERVER_ERROR: "http_5xx",
    REDIRECT_ERROR: "redirect_error",
    INTERNAL_CRAWL_ERROR: "crawl_error",
    INVALID_URL: "crawl_error",
  },
  indexingState: {
    BLOCKED_BY_META_TAG: "noindex",
    BLOCKED_BY_HTTP_HEADER: "noindex",
    BLOCKED_BY_ROBOTS_TXT: "robots_disallowed",
  },
  robotsTxtState: { DISALLOWED: "robots_disallowed" },
};

function reasonByField(status: Status): NotIndexedReason | null {
  for (const [field, reasons] of Object.entries(FIELDS)) {
    const value = status[field];
    if (typeof value === "string" && Object.hasOwn(reasons, value)) return reasons[value]!;
  }
  return null;
}

/** The letters and digits of a sentence, in lower case, so that its punctuation does not count. */
function lettersOf(text: unknown): string {
  return typeof text === "string"
    ? text
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^a-z0-9]/g, "")
    : "";
}
