import { z } from "zod";
import { accountOf, callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { pack } from "../src/contract/params.ts";
import { recordChange } from "../src/contract/record-change.ts";
import { Order, presentOrder } from "../src/contract/shapes/order.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { priceRefusal, requireDirect } from "../src/domain/payments/direct/quote.ts";
import { directOffers } from "../src/domain/payments/offers.ts";
import { packOf } from "../src/domain/payments/orders/packs.ts";
import { bookedAs } from "../src/platform/principal.ts";
import getDirectPrice from "./get-direct-price.ts";

export default defineOperation({
  name: "pay_direct",
  title: "Buy credits with a stablecoin",
  description:
    "Buys a credit pack with a signed payment of a dollar stablecoin (x402 version 2, scheme exact, EIP-3009). Without a payment it answers with the price; sign that and repeat the call with the payment. settlement_pending: the outcome is not known yet; repeat the same payment, never a new one.",
  access: { kind: "scope", scope: "purchase", anonymous: getDirectPrice },
  effect: "purchase",
  takesPayment: true,
  isOffered: ({ direct }) => direct !== undefined,
  payment: directOffers,
  input: z.object({ pack }),
  output: z.object({ order: Order, balance: z.number().int().describe("Credits after the purchase") }),
  errors: ["unknown_pack"],
  skill: { tags: ["credits", "payment", "x402"], commands: ["pay {pack}"] },
  example: { pack: "basic" },
  rest: { method: "POST", path: "/credits/x402" },
  toolset: "credits",
  async run(input, ctx) {
    const direct = requireDirect(ctx);
    const wanted = packOf(ctx.config, input.pack);
    const { payment } = ctx;
    if (!payment) throw await priceRefusal(ctx, wanted);
    const accountId = accountOf(ctx);
    const settled = await direct.settle({ accountId, credential: bookedAs(callerOf(ctx)), pack: wanted, payment });
    const headers = { ...settled.headers, "Cache-Control": "private, no-store" };
    return ctx.commit(async (tx) => {
      const { order, isReplay } = await direct.credit(tx, settled);
      if (!isReplay)
        await recordChange(tx, ctx, { kind: "direct_payment_made", subject: input.pack, target: order.id });
      ctx.answerWith({ headers, replayed: settled.isReplay || isReplay });
      return { order: presentOrder(order), balance: await balanceOf(tx, accountId) };
    });
  },
});
