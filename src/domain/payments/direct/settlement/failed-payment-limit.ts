import { consumeLimit, refundLimit } from "../../../limits/window.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import type { SettlementDeps } from "./deps.ts";

const LIMIT = "failed_payments";

/**
 * Counts a payment as failed before it is tried, and undoes that unless it fails: simultaneous payments are limited even before
 * the first has failed. Each of them costs calls of the chain and the facilitator.
 * @throws Refusal rate_limited
 */
export async function countFailures(
  { db, clock }: SettlementDeps,
  accountId: string,
  work: () => Promise<void>,
): Promise<void> {
  const at = clock.now();
  const uncount = () => db.tx((tx) => refundLimit(tx, accountId, LIMIT, at));
  await consumeLimit(db, accountId, LIMIT, at);
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof NotAccepted)) await uncount();
    throw thrown;
  }
  await uncount();
}
