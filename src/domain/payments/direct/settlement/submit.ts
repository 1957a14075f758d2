import type { SettleResult } from "../facilitator/facilitator.ts";
import { LEASE_MS, type PaymentLease, released, updateLeased } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { pending } from "../protocol/refusals.ts";
import type { Payload } from "../protocol/x402.ts";
import type { SettlementDeps } from "./deps.ts";
import { type PollResult, pollChain } from "./poll-chain.ts";

/**
 * Submits a payment of the journal to the facilitator, and then checks the chain for its outcome, whatever the
 * facilitator answers.
 * @param isFirst what it says is not believed of a payment that was submitted before: it may refuse it because the money
 * has moved already, on a chain that our node lags behind
 * @throws NotAccepted, PaymentLeaseLost, Refusal settlement_pending
 */
export async function submitPayment(
  deps: SettlementDeps,
  lease: PaymentLease,
  payload: Payload,
  isFirst: boolean,
): Promise<void> {
  const said = await settleWithin(deps, payload);
  await deps.db.tx((tx) => updateLeased(tx, lease, { lockedUntil: deps.clock.now() + LEASE_MS }));
  await awaitTransfer(deps, lease, isFirst ? said : UNKNOWN);
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
    // A facilitator never throws, by its contract. Whatever it had begun may still reach the chain.
    log.error({ err }, "a facilitator failed");
    return UNKNOWN;
  }
}

export const UNKNOWN: SettleResult = { outcome: "unknown" };

/** Returns once the transfer is on the chain. A refusal is believed only if the chain does not show the payment. */
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
