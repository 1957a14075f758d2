/** The states of links, steps and deliveries; the database stores them as numbers. */
export {
  type Action,
  CHECK_RESULTS,
  type CheckResult,
  type CheckStage,
  type DeliveryStatus,
  LANES,
  type Lane,
  LINK_STATES,
  type LinkState,
} from "../../../db/words.ts";

/** Why a link failed or its credits were returned, as the interface says it. */
export const LINK_ERRORS = {
  cancelled: "Cancelled before it was sent.",
  no_provider: "No configured provider can submit this URL to Google.",
  provider_rejected: "The provider refused this URL.",
  unverifiable: "No reliable answer could be obtained; decided in your favour.",
  host_not_public: "Its host is not on the public web.",
  http_404: "The page was not found, twice (404).",
  http_410: "The page is gone, twice (410).",
  noindex: "The page asks search engines not to index it (noindex).",
  robots_disallowed: "The robots.txt of its host does not allow Googlebot.",
} as const;
export type LinkError = keyof typeof LINK_ERRORS;

/** What became of links whose credits are returned, as the ledger says it after "30 URLs were". Without an error: `not_indexed`. */
export const RETURN_REASONS: Readonly<Record<LinkError | "not_indexed", string>> = {
  not_indexed: "not found in Google",
  cancelled: "cancelled before sending",
  no_provider: "not sent: no provider was available",
  provider_rejected: "refused by the provider",
  unverifiable: "not decided: no check gave a reliable answer",
  host_not_public: "not sent: the host is not on the public web",
  http_404: "not sent: page not found (404)",
  http_410: "not sent: page gone (410)",
  noindex: "not sent: the page says noindex",
  robots_disallowed: "not sent: robots.txt does not allow Googlebot",
};

/** Most links of one step. */
export const STEP_SIZE = 500;
