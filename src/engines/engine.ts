/**
 * What Beckon asks of the outside world: to submit URLs, to look whether Google has them, and to read
 * whether a page refuses indexing. Every adapter stands behind these interfaces. Times are service ms.
 */

/** Hands URLs to one search engine. */
export interface Submitter {
  /** One outcome per URL, in order. @throws UpstreamFailure when nothing of the batch was taken */
  send(batch: SendBatch): Promise<SendOutcome[]>;
  /**
   * What became of a call whose answer was lost. Without this, or when it answers null, the call counts as
   * uncertain and is never made again.
   */
  lookUp?(batch: SendBatch): Promise<SendOutcome[] | null>;
}

export interface SendBatch {
  readonly urls: readonly string[];
  /** When the batch was due: a sandbox answers as of then. */
  readonly asOf: number;
  /** Names this call for ever, for upstreams that keep a reference. */
  readonly reference: string;
}

export type SendOutcome =
  | { readonly kind: "accepted"; readonly provider: string; readonly detail?: string }
  /** The engine will never take this URL. */
  | { readonly kind: "rejected"; readonly provider: string; readonly detail?: string }
  /** It may have been taken: the answer was lost. */
  | { readonly kind: "uncertain"; readonly provider: string; readonly detail?: string }
  /** No provider of ours may submit this URL there, e.g. `host_not_verified`. */
  | { readonly kind: "skipped"; readonly provider: string; readonly detail: string }
  /** Not taken; may be tried again at `until`, or after our own backoff. */
  | { readonly kind: "deferred"; readonly provider: string; readonly until?: number; readonly detail?: string };

/** Looks whether Google has URLs. */
export interface Verifier {
  /** Never throws: what could not be asked is `unknown`. */
  look(batch: LookBatch): Promise<LookAnswer>;
}

export interface LookBatch {
  readonly links: readonly { readonly url: string; readonly sentAt: number | null }[];
  readonly asOf: number;
}

export interface LookAnswer {
  /** Whether a verifier whose canaries passed could be asked at all. */
  readonly available: boolean;
  /** One per link, in order. */
  readonly outcomes: readonly LookOutcome[];
}

export interface LookOutcome {
  readonly result: "indexed" | "not_indexed" | "unknown";
  readonly provider: string;
  readonly method: string;
  /** A negative of the index itself, which needs no second look. */
  readonly authoritative?: boolean;
  /** Our word for what was seen. */
  readonly reason?: string;
  readonly counts?: Readonly<Record<string, number>>;
}

/** Reads pages themselves. */
export interface PageReader {
  /** Why each page refuses indexing now (`http_404`, `http_410`, `noindex`, `robots_disallowed`), or null. */
  refusals(batch: LookBatch): Promise<(string | null)[]>;
}

export interface Engines {
  /** Null where nothing is configured. */
  readonly submitters: Readonly<Record<"google" | "bing" | "yandex", Submitter | null>>;
  readonly verifier: Verifier;
  readonly pages: PageReader;
}

/** An upstream call of which nothing was taken. */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  readonly provider: string;
  /** `timeout` leaves open whether the call arrived; the others say that it did not. */
  readonly kind: "timeout" | "rate_limited" | "server_error" | "unreachable";
  /** When to try again, where the upstream said so. */
  readonly until: number | undefined;

  constructor(provider: string, kind: UpstreamFailure["kind"], until?: number) {
    super(`${provider}: ${kind}`);
    this.provider = provider;
    this.kind = kind;
    this.until = until;
  }
}
