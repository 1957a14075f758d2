import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, SECOND } from "../../platform/clock.ts";
import { unavailableIn } from "../../platform/errors/database-unavailable.ts";
import { LeaseLost } from "./lease.ts";

/** How long a write is retried while the database is unavailable, in real ms. */
const RETRY_MS = 2 * MINUTE;
const PAUSE_MS = SECOND;

/**
 * Retries a write for a running step while the database is unavailable. Without it an upstream's answer could be lost, and nobody
 * would know whether the call had arrived. The lease stays valid until another worker claims the step.
 * @returns null when an earlier attempt was committed and only its answer was lost: the step is gone then
 * @throws LeaseLost
 * @throws DatabaseUnavailable when it stays unavailable
 */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T | null> {
  const deadline = performance.now() + RETRY_MS;
  for (let mayBeDone = false; ; ) {
    try {
      return await write();
    } catch (thrown) {
      if (mayBeDone && thrown instanceof LeaseLost) return null;
      const away = unavailableIn(thrown);
      if (!away || performance.now() > deadline) throw thrown;
      mayBeDone ||= away.mayHaveHappened;
    }
    await sleep(PAUSE_MS);
  }
}
