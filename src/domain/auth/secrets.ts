import { hash as digest, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The kinds of secrets that are handed out, by what they begin with. 256 random bits follow, so that a guess is
 * hopeless and a plain SHA-256 is enough to keep them; scanners of leaked secrets know them by the beginning.
 */
export const PREFIXES = {
  access: "beckon_at_",
  refresh: "beckon_rt_",
  code: "beckon_ac_",
  claim: "clm_",
  attempt: "cat_",
  session: "ses_",
  link: "lnk_",
} as const;

export type SecretKind = keyof typeof PREFIXES;

/** A new secret, to be shown to whom it is for and kept as its hash. */
export function newSecret(kind: SecretKind): { secret: string; hash: string } {
  const secret = PREFIXES[kind] + randomBytes(32).toString("base64url");
  return { secret, hash: hashOf(secret) };
}

/** Whether a text has the form of such a secret; what has not need not be looked up. */
export function isSecret(kind: SecretKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  return text.length === prefix.length + 43 && text.startsWith(prefix) && /^[\w-]+$/.test(text);
}

/** SHA-256 in hex: what is kept of a secret. In one call, which costs half of createHash: every request comes by. */
export function hashOf(secret: string): string {
  return digest("sha256", secret, "hex");
}

/** Compares hashes or digests without telling by its time how much of them is equal. */
export function timingSafeEquals(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
