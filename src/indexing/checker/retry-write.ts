import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, SECOND } from "../../platform/clock.ts";
import { unavailableIn } from "../../platform/errors/database-unavailable.ts";
import { LeaseLost } from "./complete.ts";

/** How long a database that does not answer is tried again, in real ms. */
const PATIENCE = 2 * MINUTE;
const PAUSE = SECOND;

/**
 * Writes for a step in hand although the database is away: an upstream's answer that is dropped would leave open for ever
 * whether its call arrived. The step stays ours as long as nobody else has claimed it, however long that takes.
 * @returns null when a commit whose answer was lost has taken the step out of our hands
 * @throws LeaseLost @throws DatabaseUnavailable when it stays away
 */
export async function insist<T>(write: () => Promise<T>): Promise<T | null> {
  const deadline = performance.now() + PATIENCE;
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
