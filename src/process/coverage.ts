import type { Services } from "../contract/call.ts";
import { foldCoverage } from "../domain/coverage/fold.ts";
import { SECOND } from "../platform/clock.ts";
import type { Log } from "./log.ts";
import { startRecurring } from "./scheduler/recurring.ts";

/** How often changes are counted. */
const PERIOD_MS = 5 * SECOND;

/** Counts what Google has of the pages of hosts. Of all processes, one does so at a time. @returns stop, which waits for the run under way */
export function startCoverage({ db, config }: Pick<Services, "db" | "config">, log: Log): () => Promise<void> {
  let isStopped = false;
  const stop = startRecurring(db, {
    job: "coverage",
    node: config.nodeName,
    periodMs: PERIOD_MS,
    firstMs: PERIOD_MS,
    work: () => foldCoverage(db, () => isStopped),
    failed: (err) => log.error({ err }, "the coverage of hosts could not be counted; retrying"),
  });
  return () => {
    isStopped = true;
    return stop();
  };
}
