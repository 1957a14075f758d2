import type { SettleResult } from "../facilitator/facilitator.ts";
import { LEASE_MS, type PaymentLease, released, updateLeased } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { pending } from "../protocol/refusals.ts";
import type { Payload } from "../protocol/x402.ts";
import type { SettlementDeps } from "./deps.ts";
import { type PollResult, pollChain } from "./poll-chain.ts";

/**
 * Hands a journalled payment over to the facilitator, and asks the chain what came of it, whatever that says.
 * @param isFirst that it is refused is not believed of one that was handed over before: its payer may lack the money
 * because it has moved, on a chain that our node is behind
 * @throws NotAccepted, PaymentLeaseLost, Refusal settlement_pending
 */
export async function submitPayment(
  deps: SettlementDeps,
  lease: PaymentLease,
  payload: Payload,
  isFirst: boolean,
): Promise<void> {
  const said = await settleWithin(deps, payload);
  const result = said.outcome === "refused" && !isFirst ? UNKNOWN : said;
  await deps.db.tx((tx) => updateLeased(tx, lease, { lockedUntil: deps.clock.now() + LEASE_MS }));
  await awaitTransfer(deps, lease, result);
}

/**
 * Waits for the transfer of a payment that is on its way.
 * @throws NotAccepted, PaymentLeaseLost, Refusal settlement_pending
 */
export async function awaitTransfer(deps: SettlementDeps, lease: PaymentLease, result: SettleResult): Promise<void> {
  await conclude(deps, lease, await pollChain(deps, lease, result.outcome === "refused"), result);
}

async function settleWithin({ facilitator, timeouts, log }: SettlementDeps, payload: Payload): Promise<SettleResult> {
  try {
    const work = facilitator.settle(payload, payload.accepted);
    return (await timeouts.within(work, timeouts.settleMs)) ?? UNKNOWN;
  } catch (err) {
    // A facilitator never throws, by its contract. What it had begun may still reach the chain.
    log.error({ err }, "a facilitator failed");
    return UNKNOWN;
  }
}

export const UNKNOWN: SettleResult = { outcome: "unknown" };

/** Returns where the transfer is on the chain. A refusal is believed only of a payment that the chain does not show. */
export async function conclude(
  { db, clock }: SettlementDeps,
  lease: PaymentLease,
  status: PollResult,
  result: SettleResult,
): Promise<void> {
  if (status === "landed") return;
  if (status === "void") throw new NotAccepted("already_used");
  if (status === "expired") throw new NotAccepted("expired");
  const isRefused = status === "absent" && result.outcome === "refused";
  const set = isRefused ? { state: "refused" as const } : {};
  const { payer } = await db.tx((tx) => updateLeased(tx, lease, { ...set, ...released(clock.now()) }));
  throw isRefused ? new NotAccepted(result.reason, payer) : pending();
}
