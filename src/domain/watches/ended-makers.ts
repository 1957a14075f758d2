import { and, gt, inArray } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { endItsWork } from "../credentials/ended-credential.ts";
import { hasMakerEnded } from "./maker.ts";
import type { WatchRow } from "./rows.ts";

/** Watches that are looked at by one query. */
const BATCH = 500;

type Made = Pick<WatchRow, "no" | "accountId" | "maker">;

/**
 * Pauses the watches of keys and grants that have ended by the passing of their last day, and of people who may not submit any more, which
 * no transaction notices. Any number of
 * processes may do so, every hour.
 */
export async function pauseWatchesOfEnded(db: Engine, now: number): Promise<void> {
  for (let after = 0; ; ) {
    const made = await runningAfter(db, after);
    if (made.length === 0) return;
    after = made.at(-1)!.no;
    const makers = new Map(made.map((watch) => [watch.maker, watch]));
    for (const { accountId, maker } of makers.values()) {
      if (await hasMakerEnded(db, { accountId, maker }, now))
        await db.tx((tx) => endItsWork(tx, { accountId, maker, now }));
    }
  }
}

function runningAfter(db: Reader, after: number): Promise<Made[]> {
  const { watches } = db.t;
  return db.q
    .select({ no: watches.no, accountId: watches.accountId, maker: watches.maker })
    .from(watches)
    .where(and(gt(watches.no, after), inArray(watches.status, ["active", "held"])))
    .orderBy(watches.no)
    .limit(BATCH);
}
