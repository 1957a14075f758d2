import { and, eq, ne } from "drizzle-orm";
import type { Tx } from "../../../../../db/engine.ts";
import type { Transfer } from "../chain/chain.ts";
import type { DirectPaymentRow } from "../journal/journal.ts";
import { leasedPayment, type PaymentChange, type PaymentLease, released, updateLeased } from "../journal/lease.ts";
import type { SettlementDeps } from "./deps.ts";

/**
 * What the chain shows of a payment that was handed over.
 *
 * - `landed`: its transfer, deep enough. `shallow`: not deep enough yet.
 * - `void`: it was used up without paying us. `spent`: so it seems; a log may still be on its way to us.
 * - `expired`: it was not used, and cannot be any more. `absent`: nothing yet.
 */
export type ChainStatus = "landed" | "shallow" | "void" | "spent" | "expired" | "absent";

/** Nothing more will be seen of these. The payment is let go with them. */
export function isDecided(status: ChainStatus | "unreachable"): boolean {
  return status === "landed" || status === "void" || status === "expired";
}

/** A chain whose time is so much past a payment's, in seconds, takes it no more, whichever of its nodes answers. */
const OVER_SECONDS = 60;

/** A transfer can be moved below the height it was handed over at by a reorganisation of at most so many blocks. */
export const REORGANISABLE = 64;

/** Looks once, and writes down what it sees. @throws ChainUnreachable, PaymentLeaseLost */
export async function checkChain(deps: SettlementDeps, lease: PaymentLease): Promise<ChainStatus> {
  const { db, chain, settings } = deps;
  const row = await leasedPayment(db, lease);
  const head = await chain.head();
  const isUsed = await chain.isUsed(row.payer, row.nonce);
  const isOver = !isUsed && head.timestamp > row.validBefore + OVER_SECONDS;
  const transfer = isUsed || isOver ? await transferOf(deps, row) : null;
  if (transfer) {
    const isDeep = head.number - transfer.block + 1 >= settings.confirmations;
    return isDeep ? record(deps, lease, transfer) : undecided(deps, lease, row, "shallow");
  }
  if (isOver) return end(deps, lease, "expired");
  return isUsed ? spent(deps, lease, row, head.number) : undecided(deps, lease, row, "absent");
}

export function transferOf({ chain }: SettlementDeps, row: DirectPaymentRow): Promise<Transfer | null> {
  const { payer: from, payTo: to, amount: value, nonce, validBefore, hash, sinceBlock } = row;
  const since = Math.max(0, (sinceBlock ?? 0) - REORGANISABLE);
  return chain.transferOf({ from, to, value, nonce, validBefore }, since, hash ?? undefined);
}

/** A transfer pays for one thing only, whatever a chain may say. */
async function record(
  { db, clock, log }: SettlementDeps,
  lease: PaymentLease,
  transfer: Transfer,
): Promise<ChainStatus> {
  const { hash, block, id } = transfer;
  const isOurs = await db.tx(async (tx) => {
    const isFree = !(await isTaken(tx, lease, id));
    const found: PaymentChange = isFree ? { hash, block, transfer: id } : { state: "void" };
    await updateLeased(tx, lease, { ...found, ...released(clock.now()) });
    return isFree;
  });
  if (!isOurs) log.error({ payment: lease.key, transfer: id }, "the chain names one transfer for two payments");
  return isOurs ? "landed" : "void";
}

async function isTaken(tx: Tx, { key }: PaymentLease, transfer: string): Promise<boolean> {
  const { directPayments: t } = tx.t;
  const others = await tx.q
    .select({ key: t.key })
    .from(t)
    .where(and(eq(t.transfer, transfer), ne(t.key, key)));
  return others.length > 0;
}

/**
 * Used up, and no transfer is to be seen. Behind one address there may be nodes that know more and less, so it has to
 * look the same some blocks later; until then `block` without `hash` keeps the height of the first sight.
 */
async function spent(
  deps: SettlementDeps,
  lease: PaymentLease,
  row: DirectPaymentRow,
  height: number,
): Promise<ChainStatus> {
  const { db, settings } = deps;
  const firstSeen = row.hash === null ? row.block : null;
  if (firstSeen !== null && height >= firstSeen + settings.confirmations) return end(deps, lease, "void");
  if (firstSeen === null) await db.tx((tx) => updateLeased(tx, lease, { ...NO_TRANSFER, block: height }));
  return "spent";
}

/** What was seen before is not to be seen any more. */
async function undecided(
  { db }: SettlementDeps,
  lease: PaymentLease,
  row: DirectPaymentRow,
  status: ChainStatus,
): Promise<ChainStatus> {
  if (row.block !== null) await db.tx((tx) => updateLeased(tx, lease, NO_TRANSFER));
  return status;
}

async function end(
  { db, clock }: SettlementDeps,
  lease: PaymentLease,
  status: "void" | "expired",
): Promise<ChainStatus> {
  const set: PaymentChange = status === "expired" ? { state: "expired", ...NO_TRANSFER } : { state: "void" };
  await db.tx((tx) => updateLeased(tx, lease, { ...set, ...released(clock.now()) }));
  return status;
}

export const NO_TRANSFER = { hash: null, block: null, transfer: null } as const;
