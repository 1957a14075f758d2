import { z } from "zod";
import type { Schema } from "../../../db/schema.ts";
import { iso } from "../../platform/clock.ts";

/** One change of an account's balance. Open: fields may be added. */
export const LedgerEntry = z
  .object({
    object: z.literal("ledger_entry"),
    id: z.string(),
    at: z.string(),
    kind: z.enum(["purchase", "spend", "return", "adjustment"]),
    credits: z.number().int().describe("Change of the balance, negative for a spend"),
    balance_after: z.number().int(),
    project_id: z.string().nullable(),
    order_id: z.string().nullable(),
    credential_id: z.string().nullable().describe("Key or connection it comes from, `person` or `operator`"),
    description: z.string(),
  })
  .meta({ id: "LedgerEntry" });

export function presentEntry(row: Schema["ledger"]["$inferSelect"]): z.output<typeof LedgerEntry> {
  return {
    object: "ledger_entry",
    id: `led_${row.accountId.slice(4)}_${row.no}`,
    at: iso(row.at),
    kind: row.kind as "purchase" | "spend" | "return" | "adjustment",
    credits: row.credits,
    balance_after: row.balanceAfter,
    project_id: row.projectId,
    order_id: row.orderId,
    credential_id: row.credential,
    description: row.description,
  };
}
