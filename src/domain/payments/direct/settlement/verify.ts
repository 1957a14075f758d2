import { ChainUnreachable } from "../chain/chain.ts";
import { FacilitatorUnreachable, type Verdict } from "../facilitator/facilitator.ts";
import { LEASE_MS, type PaymentLease, updateLeased } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { unavailable } from "../protocol/refusals.ts";
import type { Payload } from "../protocol/x402.ts";
import { releaseClaim } from "./claim.ts";
import type { SettlementDeps } from "./deps.ts";

/**
 * Whether a claimed payment may be handed over: the chain has not seen it, and the facilitator finds it valid. Then it
 * is written down as handed over, before it is.
 *
 * The chain is asked first, while nobody but its payer and we know the signature: what lands from here on is credited,
 * also where somebody was quicker and the facilitator finds it used. What the chain has seen before is nobody's to
 * claim, since everybody can read there what a stranger has signed and paid.
 * @returns whether it still has to be handed over
 * @throws NotAccepted, Refusal unavailable; the claim is let go
 */
export async function verifyClaimed(deps: SettlementDeps, lease: PaymentLease, payload: Payload): Promise<boolean> {
  const { db, chain, clock } = deps;
  try {
    const { number: sinceBlock } = await chain.head();
    if (await isUsed(deps, payload)) throw new NotAccepted("already_used");
    const verdict = await askFacilitator(deps, payload);
    // A transfer that lands meanwhile is only theirs who have its payer's signature.
    const isTheirs = verdict.isValid || verdict.reason !== "invalid_signature";
    if (!verdict.isValid && !(isTheirs && (await isUsed(deps, payload)))) throw new NotAccepted(verdict.reason);
    const set = { state: "submitted", sinceBlock, lockedUntil: clock.now() + LEASE_MS } as const;
    await db.tx((tx) => updateLeased(tx, lease, set));
    return verdict.isValid;
  } catch (thrown) {
    await releaseClaim(db, lease);
    throw thrown instanceof FacilitatorUnreachable || thrown instanceof ChainUnreachable ? unavailable() : thrown;
  }
}

function isUsed({ chain }: SettlementDeps, { payload }: Payload): Promise<boolean> {
  const { from, nonce } = payload.authorization;
  return chain.isUsed(from.toLowerCase(), nonce.toLowerCase());
}

async function askFacilitator({ facilitator, timeouts }: SettlementDeps, payload: Payload): Promise<Verdict> {
  const verdict = await timeouts.within(facilitator.verify(payload, payload.accepted), timeouts.verifyMs);
  if (!verdict) throw new FacilitatorUnreachable();
  return verdict;
}
