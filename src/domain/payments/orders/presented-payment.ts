/** A signed payment as it came with a call, not validated yet. It is in exactly one of the two schemes. */
export type PresentedPayment =
  /** base64 of an x402 PaymentPayload in JSON, as the header `PAYMENT-SIGNATURE` has it. */
  | { readonly scheme: "x402"; readonly text: string }
  /** What follows the word `Payment` in a credential of the HTTP authentication scheme of that name. */
  | { readonly scheme: "payment"; readonly text: string };
