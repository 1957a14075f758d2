import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { FailureReason } from "../../../domain/webhooks/attempt.ts";
import { signatureHeaders } from "../../../domain/webhooks/secret.ts";
import { SECOND } from "../../../platform/clock.ts";
import { FetchFailure, type HttpClient } from "../../../platform/http-client/http-client.ts";
import { isObject } from "../messages.ts";
import { type CallbackProblem, eventsError, WIRE } from "./wire.ts";

/** Time in which a receiver has to echo, in ms. */
export const ECHO_MS = 10 * SECOND;

interface Asked {
  readonly url: string;
  readonly secret: string;
  readonly subscriptionId: string;
  /** Real time. */
  readonly now: number;
}

/**
 * Asks a receiver whether it wants what will be sent to it: it has to echo a text that nobody can guess. Otherwise a client could
 * have events sent to any address.
 * @throws ProtocolError CallbackEndpointError
 */
export async function refuseUnwilling(http: Pick<HttpClient, "postPublic">, asked: Asked): Promise<void> {
  const challenge = randomBytes(32).toString("base64url");
  const problem = await ask(http, asked, challenge);
  if (problem === null) return;
  const message = `The receiver did not confirm that it wants these events: ${PROBLEM_WORDS[problem]} Nothing was changed.`;
  throw eventsError("CallbackEndpointError", message, { reason: problem });
}

async function ask(
  http: Pick<HttpClient, "postPublic">,
  { url, secret, subscriptionId, now }: Asked,
  challenge: string,
): Promise<CallbackProblem | null> {
  const body = JSON.stringify({ type: "verification", challenge });
  const message = { id: `${WIRE.verificationId}${randomBytes(12).toString("hex")}`, at: now, body };
  const headers = {
    "Content-Type": "application/json",
    [WIRE.subscriptionHeader]: subscriptionId,
    ...signatureHeaders(message, [secret]),
  };
  try {
    const { status, text } = await http.postPublic(url, { headers, body, timeMs: ECHO_MS, isBodyRead: true });
    if (status >= 400) return status >= 500 ? "http_5xx" : "http_4xx";
    return status >= 200 && status < 300 && isSame(echoIn(text), challenge) ? null : "challenge_failed";
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    if (thrown.problem === "timeout") return "timeout";
    return thrown.detail && /^certificate|^tls/.test(thrown.detail) ? "tls_error" : "connection_refused";
  }
}

function echoIn(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) && typeof answer.challenge === "string" ? answer.challenge : "";
  } catch {
    return "";
  }
}

/** Compares digests, which takes the same time whatever they are. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(first!, second!);
}

const PROBLEM_WORDS: Readonly<Record<CallbackProblem, string>> = {
  connection_refused: "no connection could be made.",
  timeout: "it did not answer within 10 seconds.",
  tls_error: "its TLS certificate is not valid.",
  http_4xx: "it answered with an error of 4xx.",
  http_5xx: "it answered with a server error (5xx).",
  challenge_failed: 'it has to answer 2xx with {"challenge": …} as it came.',
};

/** Our words for why a message did not arrive, in the words of the extension. */
export const PROBLEM_OF: Readonly<Record<FailureReason, CallbackProblem>> = {
  bad_url: "connection_refused",
  not_public: "connection_refused",
  unresolved: "connection_refused",
  unreachable: "connection_refused",
  timeout: "timeout",
  too_large: "connection_refused",
  too_many_redirects: "http_4xx",
  broken: "connection_refused",
  redirect: "http_4xx",
  gone: "http_4xx",
  too_many_requests: "http_4xx",
  refused: "http_4xx",
  server_error: "http_5xx",
};
