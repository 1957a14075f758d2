import { type Instance, measureClockSkew, readAnchor } from "./instance.ts";

/** How often a running process reads the clock's anchor and skew from the database. */
const EVERY_MS = 2_000;

/**
 * Keeps the clock at the anchor in the database, which another process may replace (docs/rules.md rule 12). It also
 * keeps the clock at the database's own time, so that nodes whose clocks differ agree on leases and limits.
 * @param changed called after the anchor was replaced: timers for a service time have to be set again
 * @returns stop
 */
export function syncClock({ db, clock }: Instance, changed: () => void, everyMs = EVERY_MS): () => void {
  const sync = async () => {
    clock.skew = await measureClockSkew(db);
    const anchor = await readAnchor(db);
    if (!anchor || JSON.stringify(anchor) === JSON.stringify(clock.anchor)) return;
    clock.anchor = anchor;
    changed();
  };
  // The next read makes up for a failed one. An unavailable database is logged where it is used.
  const timer = setInterval(() => void sync().catch(() => undefined), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
