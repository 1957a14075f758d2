import type { Tx } from "../../../../../db/engine.ts";
import { formatNumber } from "../../../../platform/format.ts";
import { OPERATOR } from "../../../../platform/principal.ts";
import { type OrderRow, openOrder } from "../../orders/orders.ts";
import type { Pack } from "../../orders/packs.ts";
import { settleOrder } from "../../orders/settle.ts";

/** Books a paid order of the sandbox, by which no money moves. Credits default to the pack's. @returns its id */
export async function bookSandboxOrder(
  tx: Tx,
  order: { accountId: string; pack: Pack; credits?: number; now: number },
): Promise<string> {
  const row = await openOrder(tx, { ...order, method: "sandbox", credential: OPERATOR });
  const money = { arrived: true, refundedCents: 0, contested: false };
  await settleOrder(tx, row, money, { source: row.id, now: order.now, purchase: describeSandboxPurchase(row) });
  return row.id;
}

/** The text of a purchase in the ledger of the sandbox. */
export function describeSandboxPurchase({ credits }: Pick<OrderRow, "credits">): string {
  return `Sandbox order: ${formatNumber(credits)} credits, no money moved`;
}
