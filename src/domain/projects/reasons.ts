import type { LinkRow, Observation } from "./read.ts";
import type { LinkState } from "./states.ts";

/** Why a link failed, as the interface says it; `unverifiable` also counts as not indexed where it was sent. */
export const LINK_ERRORS = {
  cancelled: "Cancelled before it was sent.",
  no_provider: "No configured provider can submit this URL to Google.",
  already_indexed: "Google had the page already, so it was not sent.",
  provider_rejected: "The provider refused this URL.",
  unverifiable: "No reliable answer could be obtained; decided in your favour.",
  host_not_public: "Its host is not on the public web.",
  http_404: "The page was not found, twice (404).",
  http_410: "The page is gone, twice (410).",
  noindex: "The page asks search engines not to index it (noindex, or unavailable_after a date that has passed).",
  robots_disallowed: "The robots.txt of its host does not allow Googlebot.",
} as const;
export type LinkError = keyof typeof LINK_ERRORS;

/** Why a check did not find a page in Google, in words that follow a colon. */
export const NOT_INDEXED_REASONS = {
  no_match: "no search of Google found the page",
  dropped: "Google had the page before, and no search found it any more",
  crawled_not_indexed: "Google has crawled the page and chose not to index it",
  discovered_not_indexed: "Google knows the address and has not crawled it yet",
  unknown_to_google: "Google does not know the address",
  noindex: "your page says noindex",
  http_401: "your page asks Google for a sign-in (401)",
  http_403: "your server refuses Google the page (403)",
  http_404: "your page answers 404",
  http_410: "your page answers 410",
  http_4xx: "your server answers Google with another client error (4xx)",
  soft_404: "Google takes your page for an empty one",
  robots_disallowed: "your robots.txt does not allow Googlebot",
  redirect: "your page redirects",
  redirect_error: "your page redirects in a loop, too often, or to no address",
  http_5xx: "your server answers Google with an error (5xx)",
  crawl_error: "Google could not crawl the page",
  alternate_canonical: "your page names another one as canonical",
  duplicate: "Google takes your page for a duplicate of another one",
  removed: "Google was asked to hide the page, by the removals tool of Search Console",
} as const;
export type NotIndexedReason = keyof typeof NOT_INDEXED_REASONS;

const NO_MATCH_RETURN = "not found in Google";

/** What became of links whose credits are returned, as the ledger says it after "30 URLs were". */
const RETURN_REASONS: {
  readonly failed: Readonly<Record<LinkError, string>>;
  readonly not_indexed: Readonly<Record<NotIndexedReason | "unverifiable", string>>;
} = {
  failed: {
    cancelled: "cancelled before sending",
    no_provider: "not sent: no provider was available",
    already_indexed: "in Google already",
    provider_rejected: "refused by the provider",
    unverifiable: "not decided: no check gave a reliable answer",
    host_not_public: "not sent: the host is not on the public web",
    http_404: "not sent: page not found (404)",
    http_410: "not sent: page gone (410)",
    noindex: "not sent: the page says noindex",
    robots_disallowed: "not sent: robots.txt does not allow Googlebot",
  },
  not_indexed: {
    no_match: NO_MATCH_RETURN,
    dropped: "found in Google before, and not any more",
    crawled_not_indexed: "crawled by Google and not indexed",
    discovered_not_indexed: "known to Google and not crawled yet",
    unknown_to_google: "not known to Google",
    noindex: "not indexed: the page says noindex",
    http_401: "not indexed: the page asks for a sign-in (401)",
    http_403: "not indexed: the server refuses Google the page (403)",
    http_404: "not indexed: page not found (404)",
    http_410: "not indexed: page gone (410)",
    http_4xx: "not indexed: the server answers with another client error (4xx)",
    soft_404: "not indexed: Google takes the page for an empty one",
    robots_disallowed: "not indexed: robots.txt does not allow Googlebot",
    redirect: "not indexed: the page redirects",
    redirect_error: "not indexed: the page's redirects lead nowhere",
    http_5xx: "not indexed: the server answers with an error (5xx)",
    crawl_error: "not indexed: Google could not crawl the page",
    alternate_canonical: "not indexed: the page names another one as canonical",
    duplicate: "not indexed: Google takes it for a duplicate of another page",
    removed: "not indexed: Google was asked to hide the page",
    unverifiable: "not decided: no check gave a reliable answer",
  },
};

/** @param error why it ended so; undefined counts as `no_match` */
export function returnReason(state: "failed" | "not_indexed", error: string | null | undefined): string {
  const words: Readonly<Record<string, string>> = RETURN_REASONS[state];
  return words[error ?? "no_match"] ?? NO_MATCH_RETURN;
}

/**
 * Why a link becomes not indexed.
 * @param state of the link until now: one that was indexed has been dropped, unless the check says more
 * @param reason of the check
 */
export function notIndexedReason(state: LinkState, reason: string | undefined): NotIndexedReason {
  if (reason !== undefined && reason !== "no_match" && Object.hasOwn(NOT_INDEXED_REASONS, reason))
    return reason as NotIndexedReason;
  return state === "indexed" ? "dropped" : "no_match";
}

/** Why a link failed or is not indexed, as a code and a sentence; null while it is neither. */
export function causeOf(
  { state, error }: Pick<LinkRow, "state" | "error">,
  observations: readonly Pick<Observation, "result" | "reason">[],
): { readonly code: string; readonly message: string } | null {
  if (state !== "not_indexed") return error === null ? null : { code: error, message: causeSentence(state, error) };
  // Links that were decided before reasons were stored with them have theirs in the evidence.
  const last = observations.findLast(({ result }) => result === "not_indexed");
  const code = error ?? notIndexedReason(state, last?.reason ?? undefined);
  return { code, message: causeSentence(state, code) };
}

/** The sentence for why a link failed or is not indexed. */
export function causeSentence(state: LinkState, code: string | null): string {
  const words = state === "not_indexed" && code !== null ? checkReason(code) : null;
  if (words === null) return LINK_ERRORS[code as LinkError] ?? "No reason is recorded.";
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}

/** Whether it is the code of a reason for which links are not indexed. */
export function isNotIndexedReason(code: string): boolean {
  return code === "unverifiable" || Object.hasOwn(NOT_INDEXED_REASONS, code);
}

/** The words for why a check did not find a page; null for a reason that says nothing of the page. */
export function checkReason(reason: string): string | null {
  return Object.hasOwn(NOT_INDEXED_REASONS, reason) ? NOT_INDEXED_REASONS[reason as NotIndexedReason] : null;
}
