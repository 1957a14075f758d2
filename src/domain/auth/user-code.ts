import { randomInt } from "node:crypto";
import { hashOf } from "./secrets.ts";

/** No vowels, so that no words come out, and nothing that looks or sounds like another (RFC 8628 section 6.1). */
const ALPHABET = "BCDFGHJKMNPQRTVWXY3479";

const LENGTH = 6;

/** How many wrong codes a registration bears: by then, a guess had a chance of 1 in 22 million. */
export const MAX_WRONG_CODES = 5;

/** A code that one user reads to a page: 22^6, or 113 million of them. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** What is kept of a code, as it was made or as it was typed: case, spaces and dashes make no difference. */
export function userCodeHash(registrationId: string, code: string): string {
  const plain = code.replace(/[\s\p{Pd}]/gu, "").toUpperCase();
  return hashOf(`${registrationId}:${plain}`);
}
