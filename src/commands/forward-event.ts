import { type Attempt, attemptDelivery, FAILURE_WORDS } from "../domain/webhooks/attempt.ts";
import { signatureHeaders } from "../domain/webhooks/secret.ts";
import { bodyOf } from "../domain/webhooks/webhook-targets.ts";
import { isLoopbackHost } from "../platform/config/local.ts";
import type { HttpClient } from "../platform/http-client/http-client.ts";
import { parseUrl } from "../platform/text.ts";
import { UsageError } from "./command.ts";
import type { ListedEvent } from "./event-source.ts";

/** A URL of this machine, of which `http://` can be left out. @throws UsageError */
export function forwardUrlOf(text: string): string {
  const url = parseUrl(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  const isLocal = url !== null && isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ""));
  if (url !== null && isLocal && /^https?:$/.test(url.protocol) && url.username === "") return url.href;
  throw new UsageError(
    `--forward-to: "${text}" is not an address of this machine, as http://localhost:8080/hook. Other receivers are told by a webhook: see save_webhook.`,
  );
}

/** @throws UsageError */
export function signingSecretOf(text: string): string {
  if (/^whsec_[\w+/]{16,}={0,2}$/.test(text)) return text;
  throw new UsageError("--secret: has to be whsec_ and the base64 of the key.");
}

/** Sends an event once, in the form in which webhooks get it. */
export async function forwardEvent(
  http: Pick<HttpClient, "postPublic">,
  { url, secret, signal }: { readonly url: string; readonly secret: string; readonly signal: AbortSignal },
  event: ListedEvent,
): Promise<Attempt> {
  const { id, type } = event;
  const at = Date.now();
  const body = bodyOf({ type, at: Date.parse(event.at), data: JSON.stringify(event.data) });
  const headers = { "Content-Type": "application/json", ...signatureHeaders({ id, at, body }, [secret]) };
  return attemptDelivery({ http, now: Date.now }, { url, at, headers, body, signal });
}

/** What became of it, for people. */
export function forwardedText({ status, ms, reason }: Attempt): string {
  const words = reason === null ? "" : `: ${FAILURE_WORDS[reason]}`;
  return status === null ? `failed after ${ms} ms${words}` : `${status} in ${ms} ms${words}`;
}
