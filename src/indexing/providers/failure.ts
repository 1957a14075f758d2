/**
 * An upstream call that failed as a whole. The upstream may have acted on it all the same (`mayHaveArrived`): after a
 * `timeout`, a `bad_answer`, or a 5xx that a gateway may have sent.
 */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  readonly provider: string;
  readonly kind: FailureKind;
  /** Service time at which to try again, if the upstream said so. */
  readonly until: number | undefined;
  readonly mayHaveArrived: boolean;

  constructor(
    provider: string,
    kind: FailureKind,
    more: { until?: number | undefined; mayHaveArrived?: boolean } = {},
  ) {
    super(`${provider}: ${kind}`);
    this.provider = provider;
    this.kind = kind;
    this.until = more.until;
    this.mayHaveArrived = more.mayHaveArrived ?? (kind === "timeout" || kind === "bad_answer");
  }
}

export type FailureKind =
  | "timeout"
  | "unreachable"
  | "server_error"
  /** An answer in a form that the provider does not document. */
  | "bad_answer"
  | "rate_limited"
  /** The daily quota is used up, or the prepaid credits are. */
  | "quota"
  /** The credential is wrong, expired or not allowed to do this. */
  | "unauthorized"
  /** The provider does not find pages that are certainly in Google's index, or finds one that cannot be. */
  | "canary_failed"
  /** The provider refuses the call itself: a mistake of ours. */
  | "refused";

/** The outcome of a call is not known yet and can still be looked up. The whole batch is resumed later. */
export class AnswerPending extends Error {
  override readonly name = "AnswerPending";
}
