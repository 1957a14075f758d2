import { z } from "zod";
import type { CallerSpending } from "../../domain/spending/read.ts";
import { iso } from "../../platform/clock.ts";
import type { Principal } from "../../platform/principal.ts";

const credits = z.number().int().nullable();

/** What a credential may spend and has spent, in credits; null where there is no limit. Days and months are in UTC. */
export const Spending = z
  .object({
    object: z.literal("spending"),
    credential: z.object({
      id: z.string(),
      type: z.string(),
      name: z.string(),
    }),
    limits: z.object({
      per_call: credits,
      per_day: credits,
      per_month: credits,
      total: credits,
      approve_above: credits.describe("Costlier calls need a person's approval"),
      expires_at: z.string().nullable(),
    }),
    spent: z.object({ today: z.number().int(), this_month: z.number().int(), total: z.number().int() }),
    remaining: z.object({
      call: credits,
      day: credits,
      month: credits,
      total: credits,
      member: credits,
    }),
    resets_at: z.object({ day: z.string(), month: z.string() }),
  })
  .meta({ id: "Spending" });

export function presentSpending(
  { id, type, name }: Principal["credential"],
  { limits, spent, remaining, resetsAt, ofPerson, expiresAt }: CallerSpending & { readonly expiresAt: number | null },
): z.output<typeof Spending> {
  if (type === "session") throw new Error("no page of the website calls get_spending");
  const { perCall, perDay, perMonth, total, approveAbove } = limits;
  return {
    object: "spending",
    credential: { id, type, name },
    limits: {
      per_call: perCall,
      per_day: perDay,
      per_month: perMonth,
      total,
      approve_above: approveAbove,
      expires_at: iso(expiresAt),
    },
    spent: { today: spent.today, this_month: spent.thisMonth, total: spent.total },
    remaining: { ...remaining, member: ofPerson },
    resets_at: { day: iso(resetsAt.day), month: iso(resetsAt.month) },
  };
}
