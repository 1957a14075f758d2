import { createHash } from "node:crypto";
import { timingSafeEquals } from "../credentials/secrets.ts";

/** Whether a text is a well-formed code verifier: 43 to 128 unreserved characters (RFC 7636 section 4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[\w.~-]{43,128}$/.test(text);
}

/** Whether an S256 challenge was derived from a verifier (RFC 7636 section 4.6). */
export function matchesChallenge(challenge: string, verifier: string): boolean {
  return timingSafeEquals(createHash("sha256").update(verifier).digest("base64url"), challenge);
}
