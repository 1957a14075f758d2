import { and, eq, ne } from "drizzle-orm";
import type { Tx } from "../../../../../db/engine.ts";
import type { Transfer } from "../chain/chain.ts";
import type { PaymentRow } from "../journal/journal.ts";
import { type Change, change, freed, type Hold, held } from "../journal/lease.ts";
import type { Works } from "./deps.ts";

/**
 * What the chain shows of a payment that was handed over.
 *
 * - `landed`: its transfer, deep enough. `shallow`: not deep enough yet.
 * - `void`: it was used up without paying us. `spent`: so it seems; a log may still be on its way to us.
 * - `over`: it was not used, and cannot be any more. `absent`: nothing yet.
 */
export type Standing = "landed" | "shallow" | "void" | "spent" | "over" | "absent";

/** Nothing more will be seen of these. The payment is let go with them. */
export function isDecided(standing: Standing | "unseen"): boolean {
  return standing === "landed" || standing === "void" || standing === "over";
}

/** A chain whose time is so much past a payment's, in seconds, takes it no more, whichever of its nodes answers. */
const OVER_SECONDS = 60;

/** A transfer can be moved below the height it was handed over at by a reorganisation of at most so many blocks. */
export const REORGANISABLE = 64;

/** Looks once, and writes down what it sees. @throws ChainUnreachable, LeaseLost */
export async function look(works: Works, hold: Hold): Promise<Standing> {
  const { db, chain, settings } = works;
  const row = await held(db, hold);
  const head = await chain.head();
  const isUsed = await chain.isUsed(row.payer, row.nonce);
  const isOver = !isUsed && head.timestamp > row.validBefore + OVER_SECONDS;
  const transfer = isUsed || isOver ? await transferOf(works, row) : null;
  if (transfer) {
    const isDeep = head.number - transfer.block + 1 >= settings.confirmations;
    return isDeep ? record(works, hold, transfer) : undecided(works, hold, row, "shallow");
  }
  if (isOver) return end(works, hold, "over");
  return isUsed ? spent(works, hold, row, head.number) : undecided(works, hold, row, "absent");
}

export function transferOf({ chain }: Works, row: PaymentRow): Promise<Transfer | null> {
  const { payer: from, payTo: to, amount: value, nonce, validBefore, hash, sinceBlock } = row;
  const since = Math.max(0, (sinceBlock ?? 0) - REORGANISABLE);
  return chain.transferOf({ from, to, value, nonce, validBefore }, since, hash ?? undefined);
}

/** A transfer pays for one thing only, whatever a chain may say. */
async function record({ db, clock, log }: Works, hold: Hold, transfer: Transfer): Promise<Standing> {
  const { hash, block, id } = transfer;
  const isOurs = await db.tx(async (tx) => {
    const isFree = !(await isTaken(tx, hold, id));
    const found: Change = isFree ? { hash, block, transfer: id } : { state: "void" };
    await change(tx, hold, { ...found, ...freed(clock.now()) });
    return isFree;
  });
  if (!isOurs) log.error({ payment: hold.key, transfer: id }, "the chain names one transfer for two payments");
  return isOurs ? "landed" : "void";
}

async function isTaken(tx: Tx, { key }: Hold, transfer: string): Promise<boolean> {
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
async function spent(works: Works, hold: Hold, row: PaymentRow, height: number): Promise<Standing> {
  const { db, settings } = works;
  const firstSeen = row.hash === null ? row.block : null;
  if (firstSeen !== null && height >= firstSeen + settings.confirmations) return end(works, hold, "void");
  if (firstSeen === null) await db.tx((tx) => change(tx, hold, { ...NOWHERE, block: height }));
  return "spent";
}

/** What was seen before is not to be seen any more. */
async function undecided({ db }: Works, hold: Hold, row: PaymentRow, standing: Standing): Promise<Standing> {
  if (row.block !== null) await db.tx((tx) => change(tx, hold, NOWHERE));
  return standing;
}

async function end({ db, clock }: Works, hold: Hold, standing: "void" | "over"): Promise<Standing> {
  const set: Change = standing === "over" ? { state: "expired", ...NOWHERE } : { state: "void" };
  await db.tx((tx) => change(tx, hold, { ...set, ...freed(clock.now()) }));
  return standing;
}

export const NOWHERE = { hash: null, block: null, transfer: null } as const;
