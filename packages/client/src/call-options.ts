/** What a caller may say of a single call. */
export interface CallOptions {
  /**
   * The idempotency key of a call that spends or buys, at most 255 characters. By default a new one for each call, which its
   * retries share. Give one of your own to repeat a call after your program was restarted: nothing is spent twice.
   */
  readonly idempotencyKey?: string | undefined;
  /** A signed payment (x402), for `payDirect`. */
  readonly payment?: string | undefined;
  /** Ends the call, and its retries. */
  readonly signal?: AbortSignal | undefined;
}

/** How an operation is called over REST. */
export interface OperationRow {
  /** As in the service's documents, e.g. `submit_urls`. */
  readonly name: string;
  readonly method: string;
  /** Below `/api/v1`; a field in braces is taken out of the input. */
  readonly path: string;
  /** What a call changes: read, spend, purchase, cancel, change. */
  readonly effect: string;
  /** Whether the service stores the answer under the idempotency key. */
  readonly takesKey: boolean;
  /** The field with the records, and how the next page is asked for; null: the answer is no page. */
  readonly page: { readonly list: string; readonly by: string; readonly limit: number | null } | null;
  /** Suffixes of the path by which the whole list is streamed: csv, json. */
  readonly formats: readonly string[];
  /** The field that is sent as the body itself, and not in a JSON object. */
  readonly bodyField?: string;
}
