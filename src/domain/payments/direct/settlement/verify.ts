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
 * Decides whether a claimed payment may be submitted: the chain has not seen it, and the facilitator finds it valid.
 * Then the journal says that it is submitted, before it is. The chain is checked first, while only the payer and this
 * service know the signature: whatever lands from here on is credited, even if somebody else was quicker and the
 * facilitator finds it used. What the chain has seen before cannot be claimed by anybody, since everybody can read
 * there what a stranger has signed and paid.
 * @returns whether it still has to be submitted
 * @throws NotAccepted, Refusal unavailable; the claim is released
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
 * Whether a payment that the facilitator refuses may have reached the chain since the first check. That is possible if
 * the facilitator finds it used, since our node may lag behind the facilitator's. With a wrong signature it belongs to
 * nobody here: a transfer that lands meanwhile belongs to whoever has the payer's signature.
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
  if (!verdict) throw new FacilitatorUnreachable("no answer in time");
  return verdict;
}
