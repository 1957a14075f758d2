import { lt } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { version } from "../../platform/version.ts";

/** How long claims are kept, so that it can be seen which node did what; in ms. */
const KEEP = 2 * DAY;

/** The current slot of a recurring job: a period of the database's clock. */
export interface Slot {
  readonly job: string;
  /** Length of the job's slots, in ms. */
  readonly periodMs: number;
  /** Name of the process that claims it, for operators to see. */
  readonly node: string;
}

/**
 * Claims the current slot of a job: of any number of processes on one database, one gets `true` and does the work. Slots
 * follow the database's clock, so that nodes whose own clocks differ mean the same ones. The claim comes before the work:
 * a process that dies in between leaves the work to the next slot, so it has to be work that may be done late, or twice.
 * @throws DatabaseUnavailable
 */
export async function claimSlot(db: Engine, { job, periodMs, node }: Slot): Promise<boolean> {
  const at = await db.now();
  const slot = Math.floor(at / periodMs);
  const claimed = await db.tx(
    ({ q, t: { ticks } }) => q.insert(ticks).values({ job, slot, node, version, at }).onConflictDoNothing().returning(),
    { isolation: "repeatable read" },
  );
  return claimed.length > 0;
}

/** Deletes claims that are two days old or older. */
export async function purgeSlots(db: Engine): Promise<void> {
  const now = await db.now();
  await db.tx(async ({ q, t: { ticks } }) => {
    await q.delete(ticks).where(lt(ticks.at, now - KEEP));
  });
}
