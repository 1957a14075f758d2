import { ordersOf } from "../domain/payments/orders/orders.ts";
import { iso } from "../platform/clock.ts";
import { formatDollars } from "../platform/format.ts";
import { defineCommand } from "./command.ts";
import { accountFinder, countOf, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "orders",
  about: "List the orders of an account, newest first",
  options: { ...WHICH_ACCOUNT, limit: { value: "N", about: "How many orders at most; default: 100" } },
  examples: ["orders --email ann@example.com"],
  run: async ({ limit, ...which }, { config }) => {
    const find = accountFinder(which);
    const most = countOf("limit", limit ?? "100");
    return withInstance(config, async ({ db }) => {
      const { id } = await find(db);
      const { rows, hasMore } = await ordersOf(db, id, { status: "any", limit: most, offset: 0 });
      const orders = rows.map((order) => ({
        id: order.id,
        status: order.status,
        method: order.method,
        pack: order.pack,
        credits: order.credits,
        amount_cents: order.amountCents,
        created_at: iso(order.createdAt),
        paid_at: iso(order.paidAt),
      }));
      const lines = orders.map((order) =>
        [
          order.id,
          order.status,
          order.method,
          `${order.credits} credits`,
          formatDollars(order.amount_cents / 100),
          order.created_at,
        ].join("  "),
      );
      const text = [...lines, ...(hasMore ? ["There are more: see --limit."] : [])].join("\n");
      return { data: { account_id: id, orders, has_more: hasMore }, text: text || "The account has no orders." };
    });
  },
});
