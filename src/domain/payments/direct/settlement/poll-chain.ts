import { ChainUnreachable } from "../chain/chain.ts";
import type { PaymentLease } from "../journal/lease.ts";
import { type ChainStatus, checkChain, isDecided } from "./check-chain.ts";
import type { SettlementDeps } from "./deps.ts";

/** `unreachable`: the chain does not answer. */
export type PollResult = ChainStatus | "unreachable";

/**
 * Checks the chain until the payment is decided, as long as a call can wait for it.
 * @param isDoubted the facilitator says that it did not submit the payment
 * @throws PaymentLeaseLost
 */
export async function pollChain(deps: SettlementDeps, lease: PaymentLease, isDoubted: boolean): Promise<PollResult> {
  const { timeouts } = deps;
  let before: PollResult | null = null;
  for (let looks = 0; ; looks++) {
    const status = await tryCheckChain(deps, lease);
    const pause = (isDoubted && status === "absent" ? timeouts.pausesAfterRefusal : timeouts.pauses)[looks];
    const isSilent = status === "unreachable" && before === "unreachable";
    if (isDecided(status) || isSilent || pause === undefined) return status;
    before = status;
    await timeouts.sleep(pause);
  }
}

export async function tryCheckChain(deps: SettlementDeps, lease: PaymentLease): Promise<PollResult> {
  try {
    return await checkChain(deps, lease);
  } catch (thrown) {
    if (thrown instanceof ChainUnreachable) return "unreachable";
    throw thrown;
  }
}
