import { createHmac } from "node:crypto";
import { BadSignature, type CardProcessor } from "../../../src/domain/payments/cards/card-processor.ts";
import type { CardEvent } from "../../../src/domain/payments/cards/event.ts";
import type { CardMethod } from "../../../src/domain/payments/method.ts";

const SECRET = "the secret of the voucher company";

/** Events that were not delivered, by payment page: the processor returns them when it is asked. */
export const LOST_EVENTS = new Map<string, readonly CardEvent[]>();

/** A payment method that exists only in tests. Its events are JSON in our own format, signed with an HMAC. */
export const VOUCHER = {
  kind: "card",
  name: "voucher",
  processor: "the voucher company",
  isSandbox: false,
  setting: "VOUCHER_KEY",
  describe: () => "vouchers of the tests",
  isLive: () => false,
  offer: { method: "voucher", decimals: 3, currency: () => "usd" },
  webhook: { path: "voucher", signatureHeader: "Voucher-Signature", pendingFundsType: "voucher.handed_in" },
  load: async () => voucherProcessor,
} as const satisfies CardMethod;

export function signVoucher(body: string): string {
  return createHmac("sha256", SECRET).update(body).digest("hex");
}

function voucherProcessor(): CardProcessor {
  return {
    method: "voucher",
    isLive: false,
    origin: "https://voucher.example",
    async open({ orderId }) {
      return { reference: `page_${orderId}`, url: `https://voucher.example/${orderId}` };
    },
    read(body, signature) {
      if (signature !== signVoucher(body.toString())) throw new BadSignature("Not signed by the voucher company.");
      return JSON.parse(body.toString()) as CardEvent;
    },
    lookUp: async (reference) => LOST_EVENTS.get(reference) ?? [],
    describePurchase: ({ credits }) => `${credits} credits for a voucher`,
  };
}
