/** The words of a link's life; the database keeps them as numbers. */
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

/** Why a link failed or was paid back, in our words. */
export const LINK_ERRORS = {
  cancelled: "Cancelled before it was sent.",
  no_provider: "No configured provider can submit this URL to Google.",
  provider_rejected: "The provider refused this URL.",
  unverifiable: "No sound answer could be had; settled in your favour.",
  host_not_public: "Its host is not one of the public web.",
  http_404: "The page was not found, twice (404).",
  http_410: "The page is gone, twice (410).",
  noindex: "The page asks search engines to leave it out (noindex).",
  robots_disallowed: "The robots.txt of its host keeps Googlebot away.",
} as const;
export type LinkError = keyof typeof LINK_ERRORS;

/** Most links of one step. */
export const STEP_SIZE = 500;
