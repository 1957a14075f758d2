import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, SECOND } from "../../platform/clock.ts";
import { unavailableIn } from "../../platform/errors/database-unavailable.ts";
import { LeaseLost } from "./lease.ts";

/** How long a write is tried again while the database does not answer, in real ms. */
const RETRY_FOR = 2 * MINUTE;
const PAUSE = SECOND;

/**
 * Repeats a write for a step in hand while the database does not answer: if an upstream's answer were dropped, it would
 * never be known whether its call arrived. The step stays ours until another worker claims it, however long that takes.
 * @returns null when the write was done by a commit whose answer was lost: the step is then gone
 * @throws LeaseLost @throws DatabaseUnavailable when it stays away
 */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T | null> {
  const deadline = performance.now() + RETRY_FOR;
  for (let mayBeDone = false; ; ) {
    try {
      return await write();
    } catch (thrown) {
      if (mayBeDone && thrown instanceof LeaseLost) return null;
      const away = unavailableIn(thrown);
      if (!away || performance.now() > deadline) throw thrown;
      mayBeDone ||= away.mayHaveHappened;
    }
    await sleep(PAUSE);
  }
}
