import { alertIfDeleted } from "../../orders/deleted-account.ts";
import { settleOrder } from "../../orders/settle.ts";
import type { Block, Use } from "../chain/chain.ts";
import type { DirectPaymentRow } from "../journal/journal.ts";
import { leasedPayment, type PaymentLease, released, updateLeased } from "../journal/lease.ts";
import { orderById, setTransaction, transferCause } from "../journal/order.ts";
import { authorizationStateOf, NO_TRANSFER, recordTransfer, statusOf } from "./check-chain.ts";
import { transactionOf } from "./credit.ts";
import type { SettlementDeps } from "./deps.ts";

/** How many blocks apart two checks have to find a transfer gone before its credits are taken back. */
const BLOCKS_APART = 3;

/**
 * Checks a credited payment again once its block is final: its transfer may be there, in another block, or nowhere.
 * @throws ChainUnreachable, PaymentLeaseLost
 */
export async function confirmFinal(deps: SettlementDeps, lease: PaymentLease, final: Block): Promise<void> {
  const row = await leasedPayment(deps.db, lease);
  const { isUsed, use } = await authorizationStateOf(deps, row, final);
  if (isUsed && !use) return;
  if (!use || use.transfer === null) return recordMissing(deps, lease, row, final);
  const transfer = { ...use, transfer: use.transfer };
  if (use.transfer !== row.transfer || use.block !== row.block) return recordMove(deps, lease, row, transfer);
  const set = { state: "final", missingSince: null, ...released(deps.clock.now()) } as const;
  await deps.db.tx((tx) => updateLeased(tx, lease, set));
}

/**
 * Checks again a payment that ended without a transfer, once the block as of which it ended is final: a reorganisation
 * may have brought its transfer after all.
 * @returns whether it has landed, and can be credited
 * @throws ChainUnreachable, PaymentLeaseLost
 */
export async function confirmEnded(deps: SettlementDeps, lease: PaymentLease, final: Block): Promise<boolean> {
  const row = await leasedPayment(deps.db, lease);
  const status = statusOf(await authorizationStateOf(deps, row, final), final, row, 1);
  if (status.name === "landed") return (await recordTransfer(deps, lease, status.use)) === "landed";
  // If it is still undecided as of the final block, the next round will decide it.
  if (status.name === "void" || status.name === "expired")
    await deps.db.tx((tx) => updateLeased(tx, lease, { block: null, ...released(deps.clock.now()) }));
  return false;
}

/** It is in another block now, which becomes final later. */
async function recordMove(
  { db, clock }: SettlementDeps,
  lease: PaymentLease,
  row: DirectPaymentRow,
  { hash, block, transfer }: Use,
): Promise<void> {
  const set = { hash, block, transfer, missingSince: null, ...released(clock.now()) };
  await db.tx(async (tx) => {
    const moved = await updateLeased(tx, lease, set);
    await setTransaction(tx, row.orderId!, transactionOf(moved));
  });
}

/** The first check only stores this; one that is some blocks later, and finds the same, takes the credits back. */
async function recordMissing(
  deps: SettlementDeps,
  lease: PaymentLease,
  row: DirectPaymentRow,
  { number }: Block,
): Promise<void> {
  const { db, clock } = deps;
  const { missingSince } = row;
  if (missingSince !== null && number >= missingSince + BLOCKS_APART) return reverseCredit(deps, lease, row);
  const set = { missingSince: missingSince ?? number, ...released(clock.now()) };
  await db.tx((tx) => updateLeased(tx, lease, set));
}

/** A reorganisation has undone it. If it lands again, its credits are given again. */
async function reverseCredit(deps: SettlementDeps, lease: PaymentLease, row: DirectPaymentRow): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  await db.tx(async (tx) => {
    await updateLeased(tx, lease, { state: "submitted", ...NO_TRANSFER, missingSince: null, ...released(now) });
    const order = await orderById(tx, row.orderId!);
    const cause = await transferCause(tx, order, `reorg:${row.hash}`, now);
    await settleOrder(tx, order, { arrived: false, refundedCents: 0, contested: false }, cause);
  });
  log.error(
    { order: row.orderId, hash: row.hash },
    "a payment has vanished from its chain; its credits are taken back",
  );
  await alertIfDeleted(deps, row.orderId!);
}
