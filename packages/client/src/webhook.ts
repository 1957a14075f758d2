/** A message of a webhook, after its signature was verified. */
export interface WebhookMessage {
  /** Id of the event: the same for every attempt to deliver it, so that what comes twice is recognised. */
  readonly id: string;
  /** Type of the event, e.g. `project.completed`. */
  readonly type: string;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SignedMessage {
  /** The headers of the request: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came: parsed and written again, its bytes may be others. */
  readonly body: string | Uint8Array;
  /** The secret of the webhook, `whsec_…`; several while it is replaced by another one. */
  readonly secret: string | readonly string[];
  /** How far its time may be from now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The present time, ms since 1970. Default: the time of this machine. */
  readonly now?: number;
}

/** The message was not signed by the secret, is too old, or is no message of a webhook. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/**
 * Verifies a message by Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, and the age of the timestamp.
 * @throws WebhookError
 */
export async function verifyWebhook(message: SignedMessage): Promise<WebhookMessage> {
  const { body, secret, toleranceSeconds = 300, now = Date.now() } = message;
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headerOf(message.headers, name);
    if (value) return value;
    throw new WebhookError(`The header ${name} is missing.`);
  }) as [string, string, string];
  const age = /^\d{1,12}$/.test(timestamp) ? Math.abs(now / 1_000 - Number(timestamp)) : Number.NaN;
  if (!(age <= toleranceSeconds))
    throw new WebhookError("The message is too old, or the clock of this machine is wrong.");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = await Promise.all([secret].flat().map((one) => keyOf(one)));
  const given = signatures.split(" ").flatMap((one) => (one.startsWith("v1,") ? [bytesOf(one.slice(3))] : []));
  const checks = keys.flatMap((key) => given.map((one) => one && crypto.subtle.verify("HMAC", key, one, signed)));
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookError("No signature of the message is right.");
  return contentOf(id, new TextDecoder().decode(bytes));
}

function headerOf(headers: SignedMessage["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new WebhookError("The secret has to be whsec_ and the base64 of the key.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** The bytes of a base64 text; null where it is none. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function contentOf(id: string, text: string): WebhookMessage {
  try {
    const { type, timestamp, data } = JSON.parse(text);
    if (typeof type === "string" && typeof data === "object" && data !== null) return { id, type, timestamp, data };
  } catch {}
  throw new WebhookError("The body is not the JSON of an event.");
}
