import { lte } from "drizzle-orm";
import { ChainUnreachable } from "../chain/chain.ts";
import { WATCHED } from "../journal/journal.ts";
import type { Hold } from "../journal/lease.ts";
import { dueKeys, visit } from "./batch.ts";
import { look } from "./check-chain.ts";
import { forgetClaims } from "./claim.ts";
import { credit } from "./credit.ts";
import type { Works } from "./deps.ts";
import { finalHeight, settleForGood } from "./finality.ts";

/**
 * One round over every payment that is not over: those handed over are looked for on the chain, those credited are
 * looked at again once their block is final. Any number of processes may, beside calls that work on the same.
 */
export async function reconcile(works: Works): Promise<void> {
  const { db, clock, log } = works;
  await forgetClaims(db, clock.now());
  const answers = [
    await visit(works, { states: WATCHED }, (hold) => lookAfter(works, hold)),
    await confirmCredited(works),
  ];
  if (answers.includes(false)) log.warn({}, "the chain does not answer; direct payments wait for it");
}

async function lookAfter(works: Works, hold: Hold): Promise<void> {
  const { db, clock, log } = works;
  if ((await look(works, hold)) !== "landed") return;
  const { id, transaction } = await db.tx((tx) => credit(tx, hold.key, clock.now()));
  log.info({ order: id, transaction }, "a direct payment was credited that no call had seen the end of");
}

async function confirmCredited(works: Works): Promise<boolean> {
  const { directPayments } = works.db.t;
  const credited = { states: ["credited"] } as const;
  if ((await dueKeys(works, credited)).length === 0) return true;
  try {
    const where = lte(directPayments.block, await finalHeight(works));
    return await visit(works, { ...credited, where }, (hold) => settleForGood(works, hold));
  } catch (thrown) {
    if (thrown instanceof ChainUnreachable) return false;
    throw thrown;
  }
}
