import type { Tx } from "../../../../db/engine.ts";
import { OPERATOR } from "../../../platform/principal.ts";
import { type OrderRow, openOrder } from "./orders.ts";
import { GRANT, settleOrder } from "./settle.ts";

/** Credits that the operator grants by an order. */
export interface Grant {
  readonly accountId: string;
  readonly credits: number;
  /** What the ledger says of them. */
  readonly description: string;
  readonly now: number;
}

/** Books a paid order that costs nothing, so that its account counts as one that has paid. */
export async function bookGrant(tx: Tx, { accountId, credits, description, now }: Grant): Promise<OrderRow> {
  const pack = { id: GRANTED, credits, amountCents: 0 };
  const order = await openOrder(tx, { accountId, pack, method: GRANT, credential: OPERATOR, now });
  const money = { arrived: true, refundedCents: 0, contested: false };
  return settleOrder(tx, order, money, { source: order.id, now, purchase: description });
}

/** Stands for the pack of such an order, which is of none of those that are sold. */
const GRANTED = "granted";
