import { settleOrder } from "../../orders/settle.ts";
import type { Transfer } from "../chain/chain.ts";
import type { DirectPaymentRow } from "../journal/journal.ts";
import { leasedPayment, type PaymentLease, released, updateLeased } from "../journal/lease.ts";
import { orderById, setTransaction, transferCause } from "../journal/order.ts";
import { NO_TRANSFER, REORGANISABLE, transferOf } from "./check-chain.ts";
import { transactionOf } from "./credit.ts";
import type { SettlementDeps } from "./deps.ts";

/** Height below which nothing changes any more. @throws ChainUnreachable */
export async function finalHeight({ chain }: SettlementDeps): Promise<number> {
  return (await chain.finalized()) ?? (await chain.head()).number - REORGANISABLE;
}

/**
 * Looks again at a payment that was credited, once its block is final: its transfer may stand there, in another
 * block, or nowhere. @throws ChainUnreachable, PaymentLeaseLost
 */
export async function confirmFinal(deps: SettlementDeps, lease: PaymentLease): Promise<void> {
  const row = await leasedPayment(deps.db, lease);
  const transfer = await transferOf(deps, row);
  if (!transfer) return reverseCredit(deps, lease, row);
  if (transfer.id !== row.transfer || transfer.block !== row.block) return recordMove(deps, lease, row, transfer);
  const { db, clock } = deps;
  await db.tx((tx) => updateLeased(tx, lease, { state: "final", ...released(clock.now()) }));
}

/** It stands in another block now, which becomes final in its own time. */
async function recordMove(
  { db, clock }: SettlementDeps,
  lease: PaymentLease,
  row: DirectPaymentRow,
  { hash, block, id }: Transfer,
): Promise<void> {
  await db.tx(async (tx) => {
    const moved = await updateLeased(tx, lease, { hash, block, transfer: id, ...released(clock.now()) });
    await setTransaction(tx, row.orderId!, transactionOf(moved));
  });
}

/** A reorganisation has undone it. Should it land again, its credits are given again. */
async function reverseCredit(
  { db, clock, log }: SettlementDeps,
  lease: PaymentLease,
  row: DirectPaymentRow,
): Promise<void> {
  const now = clock.now();
  await db.tx(async (tx) => {
    await updateLeased(tx, lease, { state: "submitted", ...NO_TRANSFER, ...released(now) });
    const order = await orderById(tx, row.orderId!);
    const cause = await transferCause(tx, order, `reorg:${row.hash}`, now);
    await settleOrder(tx, order, { arrived: false, refundedCents: 0, contested: false }, cause);
  });
  log.error(
    { order: row.orderId, hash: row.hash },
    "a payment has vanished from its chain; its credits are taken back",
  );
}
