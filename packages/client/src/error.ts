import type { ErrorStatuses } from "./generated/shapes.ts";

/**
 * The code of an error: one of the service's, or one of the client's own. `no_answer`: the service could not be reached, or the
 * connection broke. `timeout`: it did not answer in time. `not_beckon`: what answers is not a Beckon service.
 * `bad_address`: the address of the service cannot be used.
 */
export type ErrorCode = keyof ErrorStatuses | "no_answer" | "timeout" | "not_beckon" | "bad_address";

interface Details {
  /** HTTP status; null where there was no answer. */
  readonly status?: number | null;
  /** The fields of the error besides its code and message, e.g. `needed` and `balance`. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** The one error that calls throw, apart from the reason of an aborted signal. */
export class BeckonError extends Error {
  override readonly name = "BeckonError";
  readonly code: ErrorCode;
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** The fields of the error besides its code and message, e.g. `needed` and `balance` of `insufficient_credits`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** How long the service wants not to be asked, in seconds; null: it did not say. */
  readonly retryAfterSeconds: number | null;
  /** The key under which the call can be repeated without spending twice; null for calls that spend nothing. */
  idempotencyKey: string | null = null;

  constructor(
    code: ErrorCode,
    message: string,
    { status = null, fields = {}, retryAfterSeconds = null, cause }: Details = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Address of the page that explains the code; null for the client's own codes. */
  get docs(): string | null {
    return typeof this.fields.docs === "string" ? this.fields.docs : null;
  }
}

/** The error of an answer whose status is not 2xx. */
export function errorOf(status: number, headers: Headers, text: string, origin: string): BeckonError {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const details = { status, retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : null };
  const { code, message, ...fields } = objectIn(objectIn(text)?.error) ?? {};
  if (typeof code === "string" && typeof message === "string")
    return new BeckonError(code as ErrorCode, message, { ...details, fields });
  // A proxy in front of the service answers with pages of its own while the service restarts.
  if (status === 429 || status >= 500)
    return new BeckonError("unavailable", `${origin} is not available at present (status ${status}).`, details);
  return new BeckonError(
    "not_beckon",
    `What answers at ${origin} is not a Beckon service (status ${status}).`,
    details,
  );
}

/** The object that a JSON text is, or the value itself if it is one; null for anything else. */
export function objectIn(value: unknown): Record<string, unknown> | null {
  try {
    const parsed: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
