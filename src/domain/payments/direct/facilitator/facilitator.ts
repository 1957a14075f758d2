import type { Reason } from "../protocol/reasons.ts";
import type { Payload, Requirements } from "../protocol/x402.ts";

export type Verdict = { readonly isValid: true } | { readonly isValid: false; readonly reason: Reason };

/** The outcome of a payment as the facilitator reports it. */
export type SettleResult =
  | { readonly outcome: "done" | "unknown" }
  /** It says that nothing was submitted, or that the transaction failed. */
  | { readonly outcome: "refused"; readonly reason: Reason };

/**
 * The service that submits a payment to the chain. Its answers decide only how long a call waits; they credit nothing.
 * Reasons are codes of ours (src/domain/payments/direct/protocol/reasons.ts), never a stranger's text.
 */
export interface Facilitator {
  /**
   * Submits nothing.
   * @throws FacilitatorUnreachable if it gave no answer that can be read
   */
  verify(payload: Payload, requirements: Requirements): Promise<Verdict>;
  /** `unknown`: the payment may be on its way. Never throws. */
  settle(payload: Payload, requirements: Requirements): Promise<SettleResult>;
  /** Whether it serves this scheme on this network. @throws FacilitatorUnreachable */
  serves(network: string): Promise<boolean>;
}

/** Its message is written by us: neither the address of the facilitator nor its text. */
export class FacilitatorUnreachable extends Error {}
