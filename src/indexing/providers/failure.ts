/**
 * An upstream call that failed as a whole. A `timeout`, a `bad_answer` or a 5xx that a gateway may have made leave
 * open whether it was acted on (`mayHaveArrived`).
 */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  readonly provider: string;
  readonly kind: FailureKind;
  /** Service time at which to try again, where the upstream said so. */
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
  /** The day's quota, or the credits bought there, are used up. */
  | "quota"
  /** The credential is wrong, expired or not allowed to do this. */
  | "unauthorized"
  /** It does not find what Google surely has, or finds what cannot be. */
  | "canary_failed"
  /** The call itself is not to the provider's liking: a mistake of ours. */
  | "refused";

/** What became of a call is not known yet and can still be asked: the whole batch is to be resumed later. */
export class AnswerPending extends Error {
  override readonly name = "AnswerPending";
}
