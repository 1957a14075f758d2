/** States of a link, by their number in the database; the names are also those of a project's counts. */
export const LINK_STATES = ["waiting", "checking", "indexed", "not_indexed", "failed"] as const;
export const WAITING = 0;
export const CHECKING = 1;
export const INDEXED = 2;
export const NOT_INDEXED = 3;
export const FAILED = 4;

/** A lane is one engine's queue of a project. Google's drives the life of a link; the others never hold it up. */
export const LANES = ["google", "bing", "yandex"] as const;
export type Lane = (typeof LANES)[number];
export const GOOGLE = 0;

export const ACTIONS = ["send", "resend", "check", "preflight"] as const;
export const SEND = 0;
export const RESEND = 1;
export const CHECK = 2;
/** The page itself is looked at, before it is sent anywhere. */
export const PREFLIGHT = 3;

/** Which look of docs/rules.md rule 5 or 7 a check is. */
export const LOOKS = ["none", "early", "day_4", "day_14", "check"] as const;
export const NO_LOOK = 0;
export const EARLY = 1;
export const DAY_4 = 2;
export const DAY_14 = 3;
export const INDEX_CHECK = 4;

export const DELIVERY_STATUSES = ["sent", "accepted", "skipped", "failed"] as const;

export const RESULTS = ["indexed", "not_indexed", "unknown"] as const;

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

export const STEP_SIZE = 500;
