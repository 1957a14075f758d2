import { z } from "zod";
import type { Schema } from "../../../db/schema.ts";
import { isLiveOrder, METHOD_IDS, type OrderMethod } from "../../domain/payments/find-method.ts";
import { ORDER_STATUSES } from "../../domain/payments/orders/orders.ts";
import { iso } from "../../platform/clock.ts";

/** One purchase of credits. Open: fields may be added. */
export const Order = z
  .object({
    object: z.literal("order"),
    id: z.string(),
    pack: z.string(),
    credits: z.number().int(),
    amount_cents: z.number().int(),
    currency: z.string(),
    method: z.enum(METHOD_IDS),
    livemode: z.boolean().describe("false: a test, no real money moves"),
    status: z.enum(ORDER_STATUSES),
    checkout_url: z.string().nullable(),
    transaction: z
      .object({
        network: z.string(),
        hash: z.string(),
        payer: z.string(),
        amount: z.string(),
        currency: z.string(),
      })
      .nullable(),
    created_at: z.string(),
    expires_at: z.string().nullable(),
    paid_at: z.string().nullable(),
  })
  .meta({ id: "Order" });

export function presentOrder(row: Schema["orders"]["$inferSelect"]): z.output<typeof Order> {
  return {
    object: "order",
    id: row.id,
    pack: row.pack,
    credits: row.credits,
    amount_cents: row.amountCents,
    currency: row.currency,
    method: row.method as OrderMethod,
    livemode: isLiveOrder(row),
    status: row.status as z.output<typeof Order>["status"],
    checkout_url: row.checkoutUrl,
    transaction: row.transaction ? JSON.parse(row.transaction) : null,
    created_at: iso(row.createdAt),
    expires_at: iso(row.expiresAt),
    paid_at: iso(row.paidAt),
  };
}
