import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import { pack } from "../src/contract/params.ts";
import { priceRefusal } from "../src/domain/payments/direct/quote.ts";
import { packOf } from "../src/domain/payments/orders/packs.ts";

export default defineOperation({
  name: "get_direct_price",
  title: "Read the price of a direct payment",
  description:
    "Answers 402 with the price of a credit pack, to be paid in a dollar stablecoin from a wallet: PAYMENT-REQUIRED (x402 version 2) and WWW-Authenticate: Payment. Charges nothing, and ignores any payment sent with it. To pay, sign the offer and send it to pay_direct.",
  access: { kind: "public" },
  effect: "read",
  input: z.object({ pack: pack.default("basic") }),
  output: z.object({}),
  errors: ["unknown_pack", "direct_payment_required", "direct_payment_disabled"],
  skill: { tags: ["credits", "payment", "x402"] },
  example: { pack: "basic" },
  rest: { method: "GET", path: "/credits/x402", status: 402 },
  toolset: "credits",
  surfaces: ["rest"],
  isOffered: ({ direct }) => direct !== undefined,
  async run(input, ctx) {
    throw await priceRefusal(ctx, packOf(ctx.config, input.pack));
  },
});
