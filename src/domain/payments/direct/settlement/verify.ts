import { ChainUnreachable } from "../chain/chain.ts";
import { FacilitatorSilent, type Verdict } from "../facilitator/facilitator.ts";
import { change, type Hold, LEASE } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { unavailable } from "../protocol/refusals.ts";
import type { Payload } from "../protocol/x402.ts";
import { unclaim } from "./claim.ts";
import type { Works } from "./deps.ts";

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
export async function prove(works: Works, hold: Hold, payload: Payload): Promise<boolean> {
  const { db, chain, clock } = works;
  try {
    const { number: sinceBlock } = await chain.head();
    if (await isUsed(works, payload)) throw new NotAccepted("already_used");
    const verdict = await verify(works, payload);
    // A transfer that lands meanwhile is only theirs who have its payer's signature.
    const isTheirs = verdict.isValid || verdict.reason !== "invalid_signature";
    if (!verdict.isValid && !(isTheirs && (await isUsed(works, payload)))) throw new NotAccepted(verdict.reason);
    const set = { state: "submitted", sinceBlock, lockedUntil: clock.now() + LEASE } as const;
    await db.tx((tx) => change(tx, hold, set));
    return verdict.isValid;
  } catch (thrown) {
    await unclaim(db, hold);
    throw thrown instanceof FacilitatorSilent || thrown instanceof ChainUnreachable ? unavailable() : thrown;
  }
}

function isUsed({ chain }: Works, { payload }: Payload): Promise<boolean> {
  const { from, nonce } = payload.authorization;
  return chain.isUsed(from.toLowerCase(), nonce.toLowerCase());
}

async function verify({ facilitator, patience }: Works, payload: Payload): Promise<Verdict> {
  const verdict = await patience.within(facilitator.verify(payload, payload.accepted), patience.verifyMs);
  if (!verdict) throw new FacilitatorSilent();
  return verdict;
}
