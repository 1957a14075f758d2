import { lt } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { DAY } from "../clock.ts";

/** How long it can be seen which node did what, in ms. */
const KEPT = 2 * DAY;

export interface Tick {
  readonly job: string;
  /** Length of its slots, in ms. */
  readonly periodMs: number;
  /** Who asks; for people who look. */
  readonly node: string;
}

/**
 * Whether this process does the job's round of this slot: of any number of processes on one database, one does. Slots
 * are those of the database's clock, so that nodes whose own clocks differ mean the same ones. It is decided before the
 * round begins: who dies in it leaves it to the next slot, so rounds have to be such that doing one again harms nobody.
 * @throws DatabaseUnavailable
 */
export async function winTick(db: Engine, { job, periodMs, node }: Tick): Promise<boolean> {
  const at = await db.now();
  const slot = Math.floor(at / periodMs);
  const won = await db.tx(
    ({ q, t: { ticks } }) => q.insert(ticks).values({ job, slot, node, at }).onConflictDoNothing().returning(),
    { guarded: true },
  );
  return won.length > 0;
}

/** Forgets ticks that were won two days ago or before. */
export async function purgeTicks(db: Engine): Promise<void> {
  const now = await db.now();
  await db.tx(async ({ q, t: { ticks } }) => {
    await q.delete(ticks).where(lt(ticks.at, now - KEPT));
  });
}
