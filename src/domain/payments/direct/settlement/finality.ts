import { settleOrder } from "../../orders/settle.ts";
import type { Transfer } from "../chain/chain.ts";
import type { PaymentRow } from "../journal/journal.ts";
import { change, freed, type Hold, held } from "../journal/lease.ts";
import { causeOf, orderById, tell } from "../journal/order.ts";
import { NOWHERE, REORGANISABLE, transferOf } from "./check-chain.ts";
import { transactionOf } from "./credit.ts";
import type { Works } from "./deps.ts";

/** Height below which nothing changes any more. @throws ChainUnreachable */
export async function finalHeight({ chain }: Works): Promise<number> {
  return (await chain.finalized()) ?? (await chain.head()).number - REORGANISABLE;
}

/**
 * Looks again at a payment that was credited, once its block is final: its transfer may stand there, in another
 * block, or nowhere. @throws ChainUnreachable, LeaseLost
 */
export async function settleForGood(works: Works, hold: Hold): Promise<void> {
  const row = await held(works.db, hold);
  const transfer = await transferOf(works, row);
  if (!transfer) return takeBack(works, hold, row);
  if (transfer.id !== row.transfer || transfer.block !== row.block) return follow(works, hold, row, transfer);
  const { db, clock } = works;
  await db.tx((tx) => change(tx, hold, { state: "final", ...freed(clock.now()) }));
}

/** It stands in another block now, which becomes final in its own time. */
async function follow({ db, clock }: Works, hold: Hold, row: PaymentRow, { hash, block, id }: Transfer): Promise<void> {
  await db.tx(async (tx) => {
    const moved = await change(tx, hold, { hash, block, transfer: id, ...freed(clock.now()) });
    await tell(tx, row.orderId!, transactionOf(moved));
  });
}

/** A reorganisation has undone it. Should it land again, its credits are given again. */
async function takeBack({ db, clock, log }: Works, hold: Hold, row: PaymentRow): Promise<void> {
  const now = clock.now();
  await db.tx(async (tx) => {
    await change(tx, hold, { state: "submitted", ...NOWHERE, ...freed(now) });
    const order = await orderById(tx, row.orderId!);
    const cause = await causeOf(tx, order, `reorg:${row.hash}`, now);
    await settleOrder(tx, order, { arrived: false, refundedCents: 0, contested: false }, cause);
  });
  log.error(
    { order: row.orderId, hash: row.hash },
    "a payment has vanished from its chain; its credits are taken back",
  );
}
