/**
 * Whom a failure concerns: one URL, all pages of a site by one credential (`access`) or by any, all calls with the
 * credential, or all calls of the provider.
 */
export type Concern = "url" | "access" | "site" | "credential" | "provider";

/**
 * When a call like it may succeed. `now`: at any time, unless many calls fail in a row. `soon`: after a minute, and
 * twice as long after each further failure, an hour at most. `day`: when the provider's next day begins.
 */
export type Retry = "now" | "soon" | "hour" | "day" | "never";

interface Meaning {
  readonly concerns: Concern;
  readonly retry: Retry;
}

/** What each failure means. The tables of the providers say which of their answers is which failure. */
const FAILURES = {
  timeout: { concerns: "provider", retry: "now" },
  unreachable: { concerns: "provider", retry: "now" },
  server_error: { concerns: "provider", retry: "now" },
  /** An answer in a form that the provider does not document. */
  bad_answer: { concerns: "provider", retry: "now" },
  /** The provider does not find pages that are certainly in Google's index, or finds one that cannot be. */
  canary_failed: { concerns: "provider", retry: "now" },
  rate_limited: { concerns: "credential", retry: "soon" },
  /** The daily quota is used up, or the prepaid credits are. */
  quota: { concerns: "credential", retry: "day" },
  /** The credential is wrong, expired or not allowed to do this. */
  unauthorized: { concerns: "credential", retry: "hour" },
  /** The provider's account does not have the site. */
  host_not_connected: { concerns: "access", retry: "never" },
  /** The provider's account has the site, but does not own it. */
  not_owner: { concerns: "access", retry: "never" },
  /** The engine has not read the site yet. */
  host_not_ready: { concerns: "site", retry: "day" },
  /** The engine has yet to find the IndexNow key on the site. */
  key_pending: { concerns: "site", retry: "soon" },
  /** The engine did not find the IndexNow key on the site. */
  key_not_accepted: { concerns: "site", retry: "never" },
  /** The engine takes this IndexNow key no more, whatever is on the site. */
  key_refused: { concerns: "site", retry: "never" },
  invalid_url: { concerns: "url", retry: "never" },
  url_not_of_host: { concerns: "url", retry: "never" },
  /** The provider refuses the call without saying why: it may be a mistake of ours. */
  refused: { concerns: "provider", retry: "now" },
} as const satisfies Readonly<Record<string, Meaning>>;

export type FailureKind = keyof typeof FAILURES;

/** The failures after which a URL is refused for good. */
export type FinalKind = {
  [K in FailureKind]: (typeof FAILURES)[K]["retry"] extends "never" ? K : never;
}[FailureKind];

/** Whether a failure, named by its kind, is one after which a URL is refused for good. */
export function isFinal(kind: string | null): kind is FinalKind {
  return kind !== null && Object.hasOwn(FAILURES, kind) && FAILURES[kind as FailureKind].retry === "never";
}

interface Details {
  /** Whom it concerns, where it is not as for other failures of its kind. */
  readonly concerns?: Concern | undefined;
  /** Service time at which to try again, if the upstream said so. */
  readonly until?: number | undefined;
  /** How many URLs the upstream still takes today, if it said so. */
  readonly left?: number | undefined;
  readonly mayHaveArrived?: boolean | undefined;
}

/**
 * An upstream call that failed as a whole. The upstream may have acted on it all the same (`mayHaveArrived`): after a
 * `timeout`, a `bad_answer`, or a 5xx that a gateway may have sent.
 */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  readonly provider: string;
  readonly kind: FailureKind;
  readonly concerns: Concern;
  readonly retry: Retry;
  readonly until: number | undefined;
  readonly left: number | undefined;
  readonly mayHaveArrived: boolean;

  constructor(provider: string, kind: FailureKind, { concerns, until, left, mayHaveArrived }: Details = {}) {
    super(`${provider}: ${kind}`);
    this.provider = provider;
    this.kind = kind;
    this.concerns = concerns ?? FAILURES[kind].concerns;
    this.retry = FAILURES[kind].retry;
    this.until = until;
    this.left = left;
    this.mayHaveArrived = mayHaveArrived ?? (kind === "timeout" || kind === "bad_answer");
  }
}

/** The outcome of a call is not known yet and can still be looked up. The whole batch is resumed later. */
export class AnswerPending extends Error {
  override readonly name = "AnswerPending";
}
