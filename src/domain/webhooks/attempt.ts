import { SECOND } from "../../platform/clock.ts";
import { FetchFailure, type FetchProblem, type HttpClient } from "../../platform/http-client/http-client.ts";

/** One attempt to deliver a message, as it is stored and shown. What the receiver said is not in it. */
export interface Attempt {
  /** Real time. */
  readonly at: number;
  /** Status of the answer; null when there was none. */
  readonly status: number | null;
  /** How long it took. */
  readonly ms: number;
  /** Our word for why it failed; null after a success. */
  readonly reason: FailureReason | null;
}

/** Redirects are not followed, so none leaves the host. */
type PostProblem = Exclude<FetchProblem, "left_host">;

export type FailureReason = PostProblem | "redirect" | "gone" | "too_many_requests" | "refused" | "server_error";

/** The result of an attempt. */
export interface AttemptResult extends Attempt {
  /** Real time before which the receiver wants no other attempt. */
  readonly notBefore?: number;
}

/** Time limit of an attempt, in ms. */
export const ATTEMPT_MS = 15 * SECOND;

/** Longest wait that a receiver can ask for, in ms. */
const LONGEST_WAIT = 24 * 60 * 60 * SECOND;

/**
 * Sends a message to a URL. Any answer of 2xx is a success. A redirect is a failure, and is not followed.
 * @param now real time, asked before and after
 */
export async function attemptDelivery(
  { http, now }: { http: Pick<HttpClient, "postPublic">; now: () => number },
  { url, at, headers, body, signal }: Outgoing,
): Promise<AttemptResult> {
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  try {
    const options = { headers, body, timeMs: ATTEMPT_MS, ...(signal ? { signal } : {}) };
    const { status, headers: answered } = await http.postPublic(url, options);
    const notBefore = status === 429 || status === 503 ? waitUntil(answered["retry-after"], now()) : undefined;
    return { at, status, ms: took(), reason: reasonOf(status), ...(notBefore === undefined ? {} : { notBefore }) };
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return { at, status: null, ms: took(), reason: thrown.problem as PostProblem };
  }
}

export interface Outgoing {
  readonly url: string;
  /** Real time of the attempt. */
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
}

function reasonOf(status: number): FailureReason | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "redirect";
  if (status === 410) return "gone";
  if (status === 429) return "too_many_requests";
  return status >= 500 ? "server_error" : "refused";
}

/** The header Retry-After (RFC 9110 section 10.2.3: seconds or a date) as real time, at most a day ahead. */
function waitUntil(text: string | undefined, now: number): number | undefined {
  const value = text?.trim();
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : now + Math.min(Math.max(ms, 0), LONGEST_WAIT);
}

/** What a failed attempt was, in our words. */
export const FAILURE_WORDS: Readonly<Record<FailureReason, string>> = {
  bad_url: "The URL cannot be called.",
  not_public: "Its host is not on the public web, or its port is not allowed.",
  unresolved: "Its host has no address.",
  unreachable: "No connection, or its TLS certificate is not valid.",
  timeout: "No answer within 15 seconds.",
  too_large: "The headers of its answer are too large.",
  too_many_redirects: "It redirected.",
  broken: "Its answer was not HTTP.",
  redirect: "It redirected; an answer of 2xx from the URL itself is needed.",
  gone: "It answered 410 Gone.",
  too_many_requests: "It answered 429 Too Many Requests.",
  refused: "It answered with an error of 4xx.",
  server_error: "It answered with a server error (5xx).",
};
