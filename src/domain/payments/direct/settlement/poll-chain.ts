import { ChainUnreachable } from "../chain/chain.ts";
import type { Hold } from "../journal/lease.ts";
import { isDecided, look, type Standing } from "./check-chain.ts";
import type { Works } from "./deps.ts";

/** `unseen`: the chain does not answer. */
export type Seen = Standing | "unseen";

/**
 * Looks at the chain until the payment is decided, as long as a call can wait for it.
 * @param isDoubted the facilitator says that there will be nothing to see
 * @throws LeaseLost
 */
export async function watch(works: Works, hold: Hold, isDoubted: boolean): Promise<Seen> {
  const { patience } = works;
  let before: Seen | null = null;
  for (let looks = 0; ; looks++) {
    const seen = await glance(works, hold);
    const pause = (isDoubted && seen === "absent" ? patience.doubts : patience.pauses)[looks];
    const isSilent = seen === "unseen" && before === "unseen";
    if (isDecided(seen) || isSilent || pause === undefined) return seen;
    before = seen;
    await patience.sleep(pause);
  }
}

export async function glance(works: Works, hold: Hold): Promise<Seen> {
  try {
    return await look(works, hold);
  } catch (thrown) {
    if (thrown instanceof ChainUnreachable) return "unseen";
    throw thrown;
  }
}
