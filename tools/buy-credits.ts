import { z } from "zod";
import { accountOf, callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { pack } from "../src/contract/params.ts";
import { recordChange } from "../src/contract/record-change.ts";
import { Order, presentOrder } from "../src/contract/shapes/order.ts";
import { accountById } from "../src/domain/accounts/accounts.ts";
import { openCheckout } from "../src/domain/payments/cards/checkout.ts";
import { cardOffers } from "../src/domain/payments/offers.ts";
import { openOrder } from "../src/domain/payments/orders/orders.ts";
import { packOf } from "../src/domain/payments/orders/packs.ts";
import { iso } from "../src/platform/clock.ts";
import { bookedAs } from "../src/platform/principal.ts";

export default defineOperation({
  name: "buy_credits",
  title: "Buy credits by card",
  description:
    "Creates a payment link for a pack of credits. Give checkout_url to your user, who pays on that page; nothing is charged before. Then read get_order until its status is paid.",
  access: { kind: "scope", scope: "purchase" },
  effect: "purchase",
  input: z.object({ pack }),
  output: z.object({ order: Order, checkout_url: z.string(), expires_at: z.string() }),
  payment: cardOffers,
  urlForUser: { field: "checkout_url", message: "Pay for the credits on this page. Nothing is charged before." },
  isOffered: ({ cards }) => cards !== "none",
  errors: ["unknown_pack"],
  skill: { tags: ["credits", "payment"], commands: ["buy {pack}"] },
  example: { pack: "basic" },
  rest: { method: "POST", path: "/checkout", status: 201 },
  toolset: "credits",
  limits: ["checkout_links"],
  async run(input, ctx) {
    const { id: accountId, email } = await accountById(ctx.db, accountOf(ctx));
    const checkout = await openCheckout(ctx, { accountId, email }, packOf(ctx.config, input.pack), ctx.clock.now());
    return ctx.commit(async (tx) => {
      const order = await openOrder(tx, { ...checkout, credential: bookedAs(callerOf(ctx)) });
      await recordChange(tx, ctx, { kind: "payment_opened", subject: input.pack, target: order.id });
      return { order: presentOrder(order), checkout_url: order.checkoutUrl!, expires_at: iso(order.expiresAt!) };
    });
  },
});
