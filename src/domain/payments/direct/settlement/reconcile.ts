import { isNotNull, lte } from "drizzle-orm";
import { alertIfDeleted } from "../../orders/deleted-account.ts";
import { ChainUnreachable, WrongChain } from "../chain/chain.ts";
import { ENDED_STATES, PENDING_STATES } from "../journal/journal.ts";
import type { PaymentLease } from "../journal/lease.ts";
import { dueKeys, forEachDue } from "./batch.ts";
import { checkChain } from "./check-chain.ts";
import { purgeClaims } from "./claim.ts";
import { creditPayment } from "./credit.ts";
import type { SettlementDeps } from "./deps.ts";
import { confirmEnded, confirmFinal } from "./finality.ts";

/** The states that one round checks. A payment that has ended keeps its block until that is final. */
const PENDING = { states: PENDING_STATES } as const;
const CREDITED = { states: ["credited"] } as const;

/**
 * One round over every open payment: submitted payments are looked for on the chain, and payments that were credited or have
 * ended are checked again once their block is final. Any number of processes may run rounds, even while calls work on the same
 * payments.
 */
export async function reconcileDirect(deps: SettlementDeps): Promise<void> {
  const { db, clock, log, checkpoint } = deps;
  await purgeClaims(db, clock.now());
  const ended = { states: ENDED_STATES, where: isNotNull(db.t.directPayments.block) } as const;
  const due = await Promise.all([PENDING, CREDITED, ended].map((kind) => dueKeys(deps, kind)));
  if (due.every((keys) => keys.length === 0)) return;
  try {
    await checkpoint.advance();
    const silence = await forEachDue(deps, PENDING, (lease) => creditLanded(deps, lease));
    const later = await confirmAll(deps);
    if (silence ?? later) throw silence ?? later;
  } catch (thrown) {
    if (thrown instanceof WrongChain) log.error({}, thrown.message);
    else if (thrown instanceof ChainUnreachable) log.warn({}, `direct payments wait for the chain. ${thrown.message}`);
    else throw thrown;
  }
}

/** @returns why the chain gave no answer; null if it answered */
async function confirmAll(deps: SettlementDeps): Promise<ChainUnreachable | null> {
  const final = await deps.chain.final();
  const where = lte(deps.db.t.directPayments.block, final.number);
  const credited = await forEachDue(deps, { ...CREDITED, where }, (lease) => confirmFinal(deps, lease, final));
  const ended = await forEachDue(deps, { states: ENDED_STATES, where }, async (lease) => {
    if (await confirmEnded(deps, lease, final)) await credit(deps, lease);
  });
  return credited ?? ended;
}

async function creditLanded(deps: SettlementDeps, lease: PaymentLease): Promise<void> {
  if ((await checkChain(deps, lease)) === "landed") await credit(deps, lease);
}

async function credit(deps: SettlementDeps, { key }: PaymentLease): Promise<void> {
  const { db, clock, log } = deps;
  const { order } = await db.tx((tx) => creditPayment(tx, key, clock.now()));
  const { id, transaction } = order;
  log.info({ order: id, transaction }, "a direct payment was credited that no call had seen the end of");
  await alertIfDeleted(deps, id);
}
