import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset } from "../src/contract/params.ts";
import { Order, presentOrder } from "../src/contract/shapes/order.ts";
import { ORDER_STATUSES, ordersOf } from "../src/domain/payments/orders/orders.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_orders",
  title: "List orders",
  description: "Lists the account's purchases of credits, newest first, with their status and payment link.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    status: z
      .enum(["any", ...ORDER_STATUSES])
      .default("any")
      .describe("Only with this status"),
    limit: limit(SIZES.pageLimit, 50),
    offset,
  }),
  output: z.object({ orders: z.array(Order), has_more: z.boolean() }),
  skill: { tags: ["credits", "orders"], commands: ["orders"] },
  example: { status: "paid" },
  rest: { method: "GET", path: "/orders" },
  toolset: "credits",
  agentDefaults: { limit: 20 },
  async run(filter, ctx) {
    const { rows, hasMore } = await ordersOf(ctx.db, accountOf(ctx), filter);
    return { orders: rows.map(presentOrder), has_more: hasMore };
  },
});
