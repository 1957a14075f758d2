import { hash as digest, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The prefix of each kind of secret, by which secret scanners recognise it. 256 random bits follow, so that a plain SHA-256
 * is enough to store them.
 */
export const PREFIXES = {
  access: "beckon_at_",
  refresh: "beckon_rt_",
  code: "beckon_ac_",
  claim: "clm_",
  attempt: "cat_",
  session: "ses_",
  link: "lnk_",
  state: "stt_",
  push: "beckon_ps_",
  hook: "beckon_ph_",
  share: "shs_",
} as const;

export type SecretKind = keyof typeof PREFIXES;

/** A new secret, to be handed out once, and its hash, to be stored. */
export function newSecret(kind: SecretKind): { secret: string; hash: string } {
  const secret = PREFIXES[kind] + randomBytes(32).toString("base64url");
  return { secret, hash: hashOf(secret) };
}

/** Whether a text has the form of a secret of this kind; if not, it need not be looked up. */
export function isSecret(kind: SecretKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  return text.length === prefix.length + 43 && text.startsWith(prefix) && /^[\w-]+$/.test(text);
}

/** SHA-256 in hex, the form in which secrets are stored. */
export function hashOf(secret: string): string {
  return digest("sha256", secret, "hex");
}

/** Compares hashes in a time that does not depend on how much of them is equal. */
export function timingSafeEquals(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
