/**
 * The value of a header of x402 v2, such as PAYMENT-REQUIRED and PAYMENT-RESPONSE: base64 of JSON in UTF-8, with padding
 * (specs/transports-v2/http.md).
 */
export function headerOf(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}
