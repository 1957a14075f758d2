import type { Facilitator } from "../facilitator/facilitator.ts";
import { change, freed, type Hold, LEASE } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { pending } from "../protocol/refusals.ts";
import type { Payload } from "../protocol/x402.ts";
import type { Works } from "./deps.ts";
import { type Seen, watch } from "./poll-chain.ts";

type Said = Awaited<ReturnType<Facilitator["settle"]>>;

/**
 * Hands a payment over that is journalled, and asks the chain what came of it, whatever the facilitator says.
 * @throws NotAccepted, LeaseLost, Refusal settlement_pending
 */
export async function handOver(works: Works, hold: Hold, payload: Payload): Promise<void> {
  const said = await settled(works, payload);
  await works.db.tx((tx) => change(tx, hold, { lockedUntil: works.clock.now() + LEASE }));
  await awaitLanding(works, hold, said);
}

/** Waits for the transfer of a payment that is on its way. @throws NotAccepted, LeaseLost, Refusal settlement_pending */
export async function awaitLanding(works: Works, hold: Hold, said: Said): Promise<void> {
  await conclude(works, hold, await watch(works, hold, said.outcome === "refused"), said);
}

async function settled({ facilitator, patience, log }: Works, payload: Payload): Promise<Said> {
  try {
    const work = facilitator.settle(payload, payload.accepted);
    return (await patience.within(work, patience.settleMs)) ?? UNKNOWN;
  } catch (err) {
    // Against its contract; what it had begun goes on.
    log.error({ err }, "a facilitator failed");
    return UNKNOWN;
  }
}

export const UNKNOWN: Said = { outcome: "unknown" };

/** Returns where the transfer stands. A refusal is believed only of a payment that the chain does not know. */
export async function conclude({ db, clock }: Works, hold: Hold, seen: Seen, said: Said): Promise<void> {
  if (seen === "landed") return;
  if (seen === "void") throw new NotAccepted("already_used");
  if (seen === "over") throw new NotAccepted("expired");
  const isRefused = seen === "absent" && said.outcome === "refused";
  const set = isRefused ? { state: "refused" as const } : {};
  const { payer } = await db.tx((tx) => change(tx, hold, { ...set, ...freed(clock.now()) }));
  throw isRefused ? new NotAccepted(said.reason, payer) : pending();
}
