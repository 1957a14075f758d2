import { ChainUnreachable, WrongChain } from "../chain/chain.ts";
import { FacilitatorUnreachable, type Verdict } from "../facilitator/facilitator.ts";
import { LEASE_MS, type PaymentLease, updateLeased } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import type { Reason } from "../protocol/reasons.ts";
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
  const { db, clock, log } = deps;
  try {
    const { sinceBlock, isUsed } = await firstLook(deps, payload);
    if (isUsed) throw new NotAccepted("already_used");
    const verdict = await askFacilitator(deps, payload);
    if (!verdict.isValid && !(await mayHaveLanded(deps, payload, verdict.reason)))
      throw new NotAccepted(verdict.reason);
    const set = { state: "submitted", sinceBlock, lockedUntil: clock.now() + LEASE_MS } as const;
    await db.tx((tx) => updateLeased(tx, lease, set));
    return verdict.isValid;
  } catch (thrown) {
    await releaseClaim(db, lease);
    if (thrown instanceof WrongChain) log.error({}, thrown.message);
    throw thrown instanceof FacilitatorUnreachable || thrown instanceof ChainUnreachable ? unavailable() : thrown;
  }
}

/**
 * Whether a payment that the facilitator does not take may be on the chain since the first look. It may where the
 * facilitator finds it used, since our node can be behind that of the facilitator. A wrong signature is no one's: a
 * transfer that lands meanwhile is only theirs who have that of its payer.
 */
async function mayHaveLanded(deps: SettlementDeps, payload: Payload, reason: Reason): Promise<boolean> {
  if (reason === "invalid_signature") return false;
  return reason === "already_used" || (await firstLook(deps, payload)).isUsed;
}

async function firstLook({ chain, checkpoint }: SettlementDeps, { payload }: Payload) {
  const at = await chain.latest();
  const authorization = authorizationOf(payload.authorization);
  const known = await checkpoint.current();
  const { isUsed } = await chain.authorizationState({ authorization, at, since: at.number, checkpoint: known });
  return { sinceBlock: at.number, isUsed };
}

function authorizationOf({ from, to, value, nonce, validBefore }: Payload["payload"]["authorization"]) {
  const lowerCase = { from: from.toLowerCase(), to: to.toLowerCase(), nonce: nonce.toLowerCase() };
  return { ...lowerCase, value, validBefore: Number(validBefore) };
}

async function askFacilitator({ facilitator, timeouts }: SettlementDeps, payload: Payload): Promise<Verdict> {
  const verdict = await timeouts.within(facilitator.verify(payload, payload.accepted), timeouts.verifyMs);
  if (!verdict) throw new FacilitatorUnreachable();
  return verdict;
}
