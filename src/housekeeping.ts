import { purgeAuth } from "./auth/purge.ts";
import { HOUR, MINUTE } from "./clock.ts";
import type { Services } from "./contract/call.ts";
import { purgePeople } from "./people/purge.ts";
import { purgeTasks } from "./tasks/purge.ts";
import type { Log } from "./web/log.ts";

/**
 * Forgets every hour what is over, on real time; any number of processes may. The first time is a minute after the
 * start, so that a service that is restarted often does it too.
 * @returns stop, which waits for what is in hand
 */
export function startHousekeeping({ db, clock }: Pick<Services, "db" | "clock">, log: Log): () => Promise<void> {
  let running = Promise.resolve();
  const clean = () => {
    for (const purge of [purgeAuth, purgePeople, purgeTasks])
      running = running
        .then(() => purge(db, clock.now()))
        .catch((err) => log.error({ err }, "housekeeping failed; it is tried again in an hour"));
  };
  const first = setTimeout(clean, MINUTE).unref();
  const hourly = setInterval(clean, HOUR).unref();
  return () => {
    clearTimeout(first);
    clearInterval(hourly);
    return running;
  };
}
