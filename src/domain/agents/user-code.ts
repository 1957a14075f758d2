import { randomInt } from "node:crypto";
import { hashOf } from "../credentials/secrets.ts";

/** Without vowels, so that codes are no words, and without characters that look or sound alike (RFC 8628 section 6.1). */
const ALPHABET = "BCDFGHJKMNPQRTVWXY3479";

const LENGTH = 6;

/** How many wrong codes lock a registration: five guesses succeed with a chance of 1 in 22 million. */
export const MAX_WRONG_CODES = 5;

/** A random code that a user types into the claim page: one of 22^6, or 113 million. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** The stored hash of a code, as issued or as typed: case, spaces and dashes are ignored. */
export function userCodeHash(registrationId: string, code: string): string {
  const plain = code.replace(/[\s\p{Pd}]/gu, "").toUpperCase();
  return hashOf(`${registrationId}:${plain}`);
}
