import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** A secret of Standard Webhooks 1.0: `whsec_` and the base64 of 32 random bytes, which are the key. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString("base64")}`;
}

/** Whether a text is a secret as Standard Webhooks 1.0 has it: `whsec_` and the base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : "";
  const key = Buffer.from(encoded, "base64");
  const isBase64 =
    key.toString("base64").replace(/=+$/, "") === encoded.replace(/=+$/, "") && /^[^=]+={0,2}$/.test(encoded);
  return isBase64 && key.length >= 24 && key.length <= 64;
}

export interface SignedMessage {
  /** The same for every attempt to deliver an event, so that receivers recognise what comes twice. */
  readonly id: string;
  /** Real time of the attempt. */
  readonly at: number;
  readonly body: string;
}

/**
 * The headers that prove where a message is from (Standard Webhooks 1.0): its id, the time of the attempt in seconds, and
 * HMAC-SHA256 over `id.timestamp.body` by each secret that is valid.
 */
export function signatureHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
