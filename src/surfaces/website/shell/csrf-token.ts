import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const BYTES = 32;

/**
 * The value of the hidden field `token` of a form: only our own pages, in this browser, can know it. It is another text each
 * time, a random mask before the masked value: pages are compressed, and the length of a compressed page that also
 * contains a text of a stranger's choice would give away a constant value letter by letter (BREACH, breachattack.com).
 * @param secret the value of the session cookie
 */
export function newCsrfToken(secret: string): string {
  const mask = randomBytes(BYTES);
  return Buffer.concat([mask, xor(mask, tokenValue(secret))]).toString("base64url");
}

/** Whether it is a token of this browser. */
export function isCsrfToken(token: string, secret: string): boolean {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 2 * BYTES) return false;
  return timingSafeEqual(xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES)), tokenValue(secret));
}

function tokenValue(secret: string): Buffer {
  return createHmac("sha256", secret).update("form").digest();
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, at) => byte ^ other[at]!));
}
