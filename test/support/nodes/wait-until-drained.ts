import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";

/** How long everything that is open may take to end, once nothing goes wrong any more. */
const DRAIN_MS = 120_000;

/** Waits until no step is open. */
export async function waitUntilDrained(db: Engine, problems: string[]): Promise<void> {
  const deadline = performance.now() + DRAIN_MS;
  const { steps } = db.t;
  for (;;) {
    const [open] = await db.q.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(steps);
    if (open!.count === 0) return;
    if (performance.now() > deadline) {
      const leased = await db.q.select().from(steps).where(sql`${steps.lease} IS NOT NULL`).limit(3);
      problems.push(`${open!.count} steps are still open; held: ${JSON.stringify(leased)}`);
      return;
    }
    await sleep(300);
  }
}
