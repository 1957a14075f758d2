import type { Services } from "../contract/call.ts";
import { refreshRanges } from "../indexing/visits/ranges.ts";
import { DAY, MINUTE } from "../platform/clock.ts";
import type { Log } from "./log.ts";
import { startRecurring } from "./scheduler/recurring.ts";

/**
 * Reads the networks that operators of crawlers publish. Once a day, one of all processes does so. A sandbox uses the lists that
 * ship with the program.
 */
export function startRangeReader(
  { db, http, clock, config }: Pick<Services, "db" | "http" | "clock" | "config">,
  log: Log,
): () => Promise<void> {
  if (config.mode !== "live") return async () => undefined;
  return startRecurring(db, {
    job: "crawler-ranges",
    node: config.nodeName,
    periodMs: DAY,
    firstMs: 2 * MINUTE,
    async work() {
      for (const [list, why] of Object.entries(await refreshRanges({ db, http, now: clock.now() })))
        log.warn({ list, why }, "a list of a crawler's networks was not read; the one before stays");
    },
    failed: (err) => log.error({ err }, "the networks of crawlers could not be read; retrying tomorrow"),
  });
}
