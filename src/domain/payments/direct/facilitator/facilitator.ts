import type { Reason } from "../protocol/reasons.ts";
import type { Payload, Requirements } from "../protocol/x402.ts";
import type { WalletFigures } from "./wallet/wallet.ts";

export type Verdict = { readonly isValid: true } | { readonly isValid: false; readonly reason: Reason };

/** What a facilitator says became of a payment that it was given to settle. */
export type SettleResult =
  | { readonly outcome: "done" | "unknown" }
  /** It says that nothing was submitted, or that the transaction failed. */
  | { readonly outcome: "refused"; readonly reason: Reason };

/**
 * The service that brings a payment to the chain. Nothing is credited on its word, which only decides how long we wait.
 * Reasons are words of ours (src/domain/payments/direct/protocol/reasons.ts), never a stranger's text.
 */
export interface Facilitator {
  /**
   * Hands nothing over.
   * @throws FacilitatorUnreachable where it gave no answer that can be read
   * @throws Refusal unavailable where it settles nothing at the moment
   */
  verify(payload: Payload, requirements: Requirements): Promise<Verdict>;
  /** `unknown`: the payment may be on its way. Never throws. */
  settle(payload: Payload, requirements: Requirements): Promise<SettleResult>;
  /** Whether it serves this scheme on this network. @throws FacilitatorUnreachable */
  serves(network: string): Promise<boolean>;
  /** Brings on what was handed over and has not reached a block; another service does so by itself. Never throws. */
  maintain?(): Promise<void>;
  /** What a facilitator in this process has done for its account; null where there is none. */
  figures?(): WalletFigures | null;
}

export class FacilitatorUnreachable extends Error {}
