import type { SignedFields } from "./authorization.ts";
import type { Terms } from "./terms.ts";
import type { Payload, Requirements } from "./x402.ts";

/** What a payment is held against. */
export interface ExpectedPayment {
  readonly terms: Terms;
  readonly requirements: Requirements;
  /** Of the challenges. */
  readonly secret: string;
  /** ms since 1970. */
  readonly now: number;
}

/**
 * A payment that can be read, so that it is known which one it is. Whether it is right is another question: what was
 * handed over before is looked after even if its time has passed and the price is another one now.
 */
export interface ParsedPayment {
  readonly signed: SignedFields;
  /** What goes to the facilitator. @throws NotAccepted where it is not what is asked for now */
  accept(expected: ExpectedPayment): Payload;
}

/** One key for everything that the token takes once, however it is written down. */
export function keyOf({ network, asset }: Terms, { from, nonce }: SignedFields): string {
  return [network, asset, from, nonce].join("/").toLowerCase();
}
