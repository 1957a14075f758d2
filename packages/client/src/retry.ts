import type { OperationRow } from "./call-options.ts";
import { BeckonError, type ErrorCode } from "./error.ts";

/** Refused before anything was done: any call can be repeated. */
const REFUSED: readonly ErrorCode[] = ["rate_limited"];
/** The outcome may be unknown: a call is repeated if that does no harm. */
const UNKNOWN: readonly ErrorCode[] = [
  "unavailable",
  "internal",
  "idempotency_in_flight",
  "settlement_pending",
  "no_answer",
  "timeout",
];

/** Waits before each retry where the service does not say how long, in seconds. */
const BACKOFF = [0.5, 1, 2, 5, 10];

/**
 * How long to wait before the call is repeated, in ms; null: it is not repeated. By the remedies of the service's errors:
 * reads, cancellations and calls with an idempotency key or a signed payment can be repeated; other changes only
 * where they were refused before anything was done.
 */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  row: Pick<OperationRow, "effect" | "takesKey">,
  hasPayment: boolean,
): number | null {
  if (!(error instanceof BeckonError)) return null;
  const isRepeatable = row.effect === "read" || row.effect === "cancel" || row.takesKey || hasPayment;
  const mayRetry = REFUSED.includes(error.code) || (isRepeatable && UNKNOWN.includes(error.code));
  if (!mayRetry) return null;
  const backoff = BACKOFF[Math.min(attempt, BACKOFF.length - 1)]!;
  // Clients that failed together do not come back together.
  const seconds = error.retryAfterSeconds ?? backoff * (1 + Math.random() / 4);
  return seconds * 1_000;
}

/** @throws the reason of the signal when it is aborted before */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
