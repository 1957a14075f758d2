import { type Instance, readAnchor, readSkew } from "./instance.ts";

/** How often a running process looks whether another one has changed the clock. */
const EVERY_MS = 2_000;

/**
 * Keeps the clock at the anchor in the database, which another process may replace (docs/rules.md rule 12), and at the
 * database's own time, so that nodes whose clocks differ agree on leases and limits.
 * `changed` is called when it was: whoever waits for a service time has to wait anew.
 * @returns stop
 */
export function followAnchor({ db, clock }: Instance, changed: () => void, everyMs = EVERY_MS): () => void {
  const look = async () => {
    clock.skew = await readSkew(db);
    const anchor = await readAnchor(db);
    if (!anchor || JSON.stringify(anchor) === JSON.stringify(clock.anchor)) return;
    clock.anchor = anchor;
    changed();
  };
  // A look that fails is made up for by the next one; the database's troubles are reported by its users.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
