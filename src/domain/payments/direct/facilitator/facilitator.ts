import type { Reason } from "../protocol/reasons.ts";

/** x402 v2, `exact` on EVM: what is asked for. */
export interface Requirements {
  readonly scheme: "exact";
  readonly network: string;
  /** Base units. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string; readonly assetTransferMethod: "eip3009" };
}

/** x402 v2, PaymentPayload, already checked against its requirements. */
export interface Payload {
  readonly x402Version: 2;
  readonly accepted: Requirements;
  readonly payload: {
    readonly signature: string;
    readonly authorization: Readonly<Record<"from" | "to" | "value" | "validAfter" | "validBefore" | "nonce", string>>;
  };
}

export type Verdict = { readonly isValid: true } | { readonly isValid: false; readonly reason: Reason };

/**
 * Who brings a payment to the chain. Its word is never taken for the chain's: what it says decides how long we wait.
 * Reasons are words of ours (src/domain/payments/direct/protocol/reasons.ts), never a stranger's text.
 */
export interface Facilitator {
  /** Hands nothing over. @throws FacilitatorSilent where it gave no answer that can be read */
  verify(payload: Payload, requirements: Requirements): Promise<Verdict>;
  /** `unknown`: the payment may be on its way. Never throws. */
  settle(
    payload: Payload,
    requirements: Requirements,
  ): Promise<
    | { readonly outcome: "done" | "unknown" }
    /** It says that nothing was handed over, or that the chain threw it out. */
    | { readonly outcome: "refused"; readonly reason: Reason }
  >;
  /** Whether it serves this scheme on this network. @throws FacilitatorSilent */
  serves(network: string): Promise<boolean>;
}

export class FacilitatorSilent extends Error {}
