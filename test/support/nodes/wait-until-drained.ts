import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";

/** How long all open steps may take to finish, once no faults are injected any more. */
const DRAIN_MS = 120_000;

/** Waits until no step is open, and reports a problem if that takes too long. */
export async function waitUntilDrained(db: Engine, problems: string[]): Promise<void> {
  const deadline = performance.now() + DRAIN_MS;
  const { steps } = db.t;
  for (;;) {
    const [open] = await db.q.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(steps);
    if (open!.count === 0) return;
    if (performance.now() > deadline) {
      const leased = await db.q.select().from(steps).where(sql`${steps.lease} IS NOT NULL`).limit(3);
      problems.push(`${open!.count} steps are still open; leased: ${JSON.stringify(leased)}`);
      return;
    }
    await sleep(300);
  }
}
