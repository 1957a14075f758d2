import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { timingSafeEquals } from "../../domain/credentials/secrets.ts";
import { HOUR } from "../../platform/clock.ts";

/** Signed longer ago, or later than now, by more than this, in ms: a repeated call. Senders try again for up to half an hour. */
const TOLERANCE = HOUR;

interface Signed {
  readonly body: Buffer;
  readonly secret: string;
}

/** What a header with a signature says; null: it does not verify. */
type Verify = (header: string, signed: Signed) => { readonly at: number | null } | null;

const hmac = (algorithm: string, secret: string, ...parts: (string | Buffer)[]) =>
  parts.reduce((mac, part) => mac.update(part), createHmac(algorithm, secret));

/** How each sender signs, by its header. Their documents are named in docs/decisions.md. */
const SIGNATURES: Readonly<Record<string, Verify>> = {
  // Ghost
  "x-ghost-signature": (header, { body, secret }) => {
    const [, given, at] = /^sha256=([0-9a-f]{64}), ?t=(\d{1,15})$/.exec(header) ?? [];
    if (given === undefined || at === undefined) return null;
    return timingSafeEquals(given, hmac("sha256", secret, body, at).digest("hex")) ? { at: Number(at) } : null;
  },
  // Sanity
  "sanity-webhook-signature": (header, { body, secret }) => {
    const [, at, given] = /^t=(\d{1,15})[, ]+v1=([\w-]{43})$/.exec(header) ?? [];
    if (given === undefined || at === undefined) return null;
    const expected = hmac("sha256", secret, `${at}.`, body).digest("base64url");
    return timingSafeEquals(given, expected) ? { at: Number(at) } : null;
  },
  // Netlify: a JWS of the hash of the body
  "x-webhook-signature": (header, { body, secret }) => {
    const [head, payload, given, ...more] = header.split(".");
    if (given === undefined || more.length > 0) return null;
    if (!timingSafeEquals(given, hmac("sha256", secret, `${head}.${payload}`).digest("base64url"))) return null;
    const claims = objectIn(payload!);
    const isIts = claims?.iss === "netlify" && claims.sha256 === createHash("sha256").update(body).digest("hex");
    return isIts ? { at: null } : null;
  },
  // Vercel
  "x-vercel-signature": (header, { body, secret }) =>
    timingSafeEquals(header.toLowerCase(), hmac("sha1", secret, body).digest("hex")) ? { at: null } : null,
};

/** Whether a request has a signature of any sender. */
export function hasSignature({ headers }: IncomingMessage): boolean {
  return Object.keys(SIGNATURES).some((name) => headers[name] !== undefined);
}

/** Whether a request is signed with the secret, and not too long ago. @param now real time */
export function isSigned({ headers }: IncomingMessage, signed: Signed, now: number): boolean {
  return Object.entries(SIGNATURES).some(([name, verify]) => {
    const header = headers[name];
    const verified = header === undefined ? null : verify(header.toString().trim(), signed);
    return verified !== null && (verified.at === null || Math.abs(now - verified.at) <= TOLERANCE);
  });
}

function objectIn(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
