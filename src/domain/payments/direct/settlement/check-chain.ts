import { and, eq, ne } from "drizzle-orm";
import type { Tx } from "../../../../../db/engine.ts";
import { type AuthorizationState, type Block, REORGANISABLE, type Use } from "../chain/chain.ts";
import type { DirectPaymentRow } from "../journal/journal.ts";
import { leasedPayment, type PaymentChange, type PaymentLease, released, updateLeased } from "../journal/lease.ts";
import type { SettlementDeps } from "./deps.ts";

/**
 * What the chain shows of a payment that was handed over.
 *
 * - `landed`: its transfer, deep enough. `shallow`: not deep enough yet.
 * - `void`: the event by which it was cancelled or paid somebody else, deep enough.
 * - `spent`: it was used up, and no event shows by what: a node whose logs are late. Nothing follows from that.
 * - `expired`: it was not used, and cannot be any more. `absent`: nothing yet.
 */
export type ChainStatus = "landed" | "shallow" | "void" | "spent" | "expired" | "absent";

/** In these states the payment is decided, and its lease is released. */
export function isDecided(status: ChainStatus | "unreachable"): boolean {
  return status === "landed" || status === "void" || status === "expired";
}

/**
 * When the chain's time is so many seconds past the end of a payment's validity, the payment has expired even after a
 * reorganisation.
 */
const OVER_SECONDS = 60;

/**
 * Checks the payment on the chain once, and stores what it finds.
 * @throws ChainUnreachable, PaymentLeaseLost
 */
export async function checkChain(deps: SettlementDeps, lease: PaymentLease): Promise<ChainStatus> {
  const row = await leasedPayment(deps.db, lease);
  const at = await deps.chain.latest();
  const status = statusOf(await authorizationStateOf(deps, row, at), at, row, deps.settings.confirmations);
  if (status.name === "landed") return recordTransfer(deps, lease, status.use);
  if (status.name === "void" || status.name === "expired") await end(deps, lease, status.name, at);
  else if (row.block !== null) await deps.db.tx((tx) => updateLeased(tx, lease, NO_TRANSFER));
  return status.name;
}

/**
 * What the chain shows of a payment as of a block.
 * @throws ChainUnreachable
 */
export async function authorizationStateOf(
  { chain, checkpoint }: SettlementDeps,
  row: DirectPaymentRow,
  at: Block,
): Promise<AuthorizationState> {
  const { payer: from, payTo: to, amount: value, nonce, validBefore, hash, sinceBlock } = row;
  return chain.authorizationState({
    authorization: { from, to, value, nonce, validBefore },
    at,
    since: Math.max(0, (sinceBlock ?? 0) - REORGANISABLE),
    lastSeenIn: hash ?? undefined,
    checkpoint: await checkpoint.current(),
  });
}

type Status =
  | { readonly name: "landed"; readonly use: Use & { readonly transfer: string } }
  | { readonly name: Exclude<ChainStatus, "landed"> };

/** @param confirmations blocks that an event needs, its own included */
export function statusOf(
  { isUsed, use }: AuthorizationState,
  at: Block,
  { validBefore }: Pick<DirectPaymentRow, "validBefore">,
  confirmations: number,
): Status {
  if (use) {
    if (at.number - use.block + 1 < confirmations) return { name: "shallow" };
    return use.transfer === null ? { name: "void" } : { name: "landed", use: { ...use, transfer: use.transfer } };
  }
  if (isUsed) return { name: "spent" };
  return { name: at.timestamp > validBefore + OVER_SECONDS ? "expired" : "absent" };
}

/** A transfer pays for one order only, even if a chain names it for two. */
export async function recordTransfer(
  { db, clock, log }: SettlementDeps,
  lease: PaymentLease,
  { hash, block, transfer }: Use & { readonly transfer: string },
): Promise<"landed" | "void"> {
  const isOurs = await db.tx(async (tx) => {
    const isFree = !(await isTaken(tx, lease, transfer));
    const found: PaymentChange = isFree ? { hash, block, transfer } : { state: "void", ...NO_TRANSFER };
    await updateLeased(tx, lease, { ...found, ...released(clock.now()) });
    return isFree;
  });
  if (!isOurs) log.error({ payment: lease.key, transfer }, "the chain names one transfer for two payments");
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
 * `block` without `hash` stores the block as of which it ended: the reconciler checks again once that block is final.
 */
async function end(
  { db, clock }: SettlementDeps,
  lease: PaymentLease,
  state: "void" | "expired",
  { number }: Block,
): Promise<void> {
  const set: PaymentChange = { state, ...NO_TRANSFER, block: number };
  await db.tx((tx) => updateLeased(tx, lease, { ...set, ...released(clock.now()) }));
}

export const NO_TRANSFER = { hash: null, block: null, transfer: null } as const;
