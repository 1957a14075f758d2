import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id } from "../src/contract/params.ts";
import { Order, presentOrder } from "../src/contract/shapes/order.ts";
import { orderOf } from "../src/domain/payments/orders/orders.ts";
import { Refusal } from "../src/platform/errors/errors.ts";

export default defineOperation({
  name: "get_order",
  title: "Read an order",
  description: "Returns one purchase of credits: its status, and the payment link while it is open.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ order_id: id.describe("ord_…") }),
  output: Order,
  skill: { tags: ["credits", "orders"], commands: ["order {order_id}"] },
  example: { order_id: "ord_0123456789abcdefghjk" },
  rest: { method: "GET", path: "/orders/{order_id}" },
  toolset: "credits",
  async run({ order_id }, ctx) {
    const order = await orderOf(ctx.db, accountOf(ctx), order_id);
    if (!order) throw new Refusal("not_found", "This account has no such order. Call list_orders for those it has.");
    return presentOrder(order);
  },
});
