import type { SignedFields } from "./authorization.ts";
import type { Terms } from "./terms.ts";
import type { Payload, Requirements } from "./x402.ts";

/** What a payment has to match. */
export interface ExpectedPayment {
  readonly terms: Terms;
  readonly requirements: Requirements;
  /** Signs the challenges. */
  readonly secret: string;
  /** ms since 1970. */
  readonly now: number;
}

/**
 * A payment whose text was parsed, so that it can be identified. Whether it is acceptable is checked later: one that
 * was submitted before is followed up even if it has expired or the price has changed.
 */
export interface ParsedPayment {
  readonly signed: SignedFields;
  /**
   * The payload for the facilitator.
   * @throws NotAccepted if it does not match the present price
   */
  accept(expected: ExpectedPayment): Payload;
}

/** The key of a payment: the same for everything that the token accepts once, however it is spelt. */
export function keyOf({ network, asset }: Terms, { from, nonce }: SignedFields): string {
  return [network, asset, from, nonce].join("/").toLowerCase();
}
