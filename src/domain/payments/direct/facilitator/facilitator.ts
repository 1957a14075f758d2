import type { Reason } from "../protocol/reasons.ts";
import type { Payload, Requirements } from "../protocol/x402.ts";

export type Verdict = { readonly isValid: true } | { readonly isValid: false; readonly reason: Reason };

/** What a facilitator says became of a payment that it was given to settle. */
export type SettleResult =
  | { readonly outcome: "done" | "unknown" }
  /** It says that nothing was submitted, or that the chain threw it out. */
  | { readonly outcome: "refused"; readonly reason: Reason };

/**
 * Who brings a payment to the chain. Its word is never taken for the chain's: what it says decides how long we wait.
 * Reasons are words of ours (src/domain/payments/direct/protocol/reasons.ts), never a stranger's text.
 */
export interface Facilitator {
  /** Hands nothing over. @throws FacilitatorSilent where it gave no answer that can be read */
  verify(payload: Payload, requirements: Requirements): Promise<Verdict>;
  /** `unknown`: the payment may be on its way. Never throws. */
  settle(payload: Payload, requirements: Requirements): Promise<SettleResult>;
  /** Whether it serves this scheme on this network. @throws FacilitatorSilent */
  serves(network: string): Promise<boolean>;
}

export class FacilitatorUnreachable extends Error {}
