import { lte } from "drizzle-orm";
import { ChainUnreachable } from "../chain/chain.ts";
import { PENDING_STATES } from "../journal/journal.ts";
import type { PaymentLease } from "../journal/lease.ts";
import { dueKeys, forEachDue } from "./batch.ts";
import { checkChain } from "./check-chain.ts";
import { purgeClaims } from "./claim.ts";
import { creditPayment } from "./credit.ts";
import type { SettlementDeps } from "./deps.ts";
import { confirmFinal, finalHeight } from "./finality.ts";

/**
 * One round over every payment that is not over: those handed over are looked for on the chain, those credited are
 * looked at again once their block is final. Any number of processes may, beside calls that work on the same.
 */
export async function reconcileDirect(deps: SettlementDeps): Promise<void> {
  const { db, clock, log } = deps;
  await purgeClaims(db, clock.now());
  await deps.facilitator.maintain?.();
  const answers = [
    await forEachDue(deps, { states: PENDING_STATES }, (lease) => creditLanded(deps, lease)),
    await confirmCredited(deps),
  ];
  if (answers.includes(false)) log.warn({}, "the chain does not answer; direct payments wait for it");
}

async function creditLanded(deps: SettlementDeps, lease: PaymentLease): Promise<void> {
  const { db, clock, log } = deps;
  if ((await checkChain(deps, lease)) !== "landed") return;
  const { id, transaction } = await db.tx((tx) => creditPayment(tx, lease.key, clock.now()));
  log.info({ order: id, transaction }, "a direct payment was credited that no call had seen the end of");
}

async function confirmCredited(deps: SettlementDeps): Promise<boolean> {
  const { directPayments } = deps.db.t;
  const credited = { states: ["credited"] } as const;
  if ((await dueKeys(deps, credited)).length === 0) return true;
  try {
    const where = lte(directPayments.block, await finalHeight(deps));
    return await forEachDue(deps, { ...credited, where }, (lease) => confirmFinal(deps, lease));
  } catch (thrown) {
    if (thrown instanceof ChainUnreachable) return false;
    throw thrown;
  }
}
