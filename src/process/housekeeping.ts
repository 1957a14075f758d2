import type { Services } from "../contract/call.ts";
import { purgeAuth } from "../domain/auth/purge.ts";
import { purgeIdempotency } from "../domain/idempotency/idempotency-keys.ts";
import { purgeTasks } from "../domain/tasks/purge.ts";
import { purgeSessionsAndLinks } from "../domain/users/purge.ts";
import { HOUR, MINUTE } from "../platform/clock.ts";
import { purgeSlots } from "../platform/scheduler/claim-slot.ts";
import { startRecurring } from "../platform/scheduler/recurring.ts";
import type { Log } from "../surfaces/http-server/log.ts";

/**
 * Deletes what has expired, every hour of real time, in one of all processes. The first run comes a minute after the start,
 * so that it also happens where services are restarted often.
 * @returns stop, which waits for the run under way
 */
export function startHousekeeping(
  { db, clock }: Pick<Services, "db" | "clock">,
  log: Log,
  node?: string,
): () => Promise<void> {
  const failed = (err: unknown) => log.error({ err }, "housekeeping failed; retrying in an hour");
  const work = async () => {
    // If one fails, the others still run.
    for (const purge of [purgeAuth, purgeSessionsAndLinks, purgeIdempotency, purgeTasks, purgeSlots])
      await purge(db, clock.now()).catch(failed);
  };
  return startRecurring(db, { job: "housekeeping", node, periodMs: HOUR, firstMs: MINUTE, work, failed });
}
