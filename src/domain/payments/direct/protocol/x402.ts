/** x402 v2, PaymentRequirements of the scheme `exact` on EVM: the price. */
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
