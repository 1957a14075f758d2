import { and, asc, inArray, isNull, lte, or } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { MINUTE } from "../../platform/clock.ts";
import type { WatchRow } from "./rows.ts";

/** How long a process has for one run, in real ms, before another one may begin it; of both, only one can write. */
const LEASE = 5 * MINUTE;

/** Takes watches that are due, the longest due first. Of several processes each gets others. */
export async function claimDueWatches(db: Engine, { now, service }: Times, limit: number): Promise<WatchRow[]> {
  const { watches } = db.t;
  const isDue = and(lte(watches.nextRunAt, service), or(isNull(watches.leaseUntil), lte(watches.leaseUntil, now)));
  const due = (limitOf: number) =>
    db.q.select({ no: watches.no }).from(watches).where(isDue).orderBy(asc(watches.nextRunAt)).limit(limitOf);
  // A read decides, so that an idle process never takes the writer.
  if ((await due(1)).length === 0) return [];
  return db.tx(
    async (tx) => {
      const found = await tx.q
        .select({ no: watches.no })
        .from(watches)
        .where(isDue)
        .orderBy(asc(watches.nextRunAt))
        .limit(limit);
      if (found.length === 0) return [];
      const isOne = inArray(
        watches.no,
        found.map(({ no }) => no),
      );
      const set = { leaseUntil: now + LEASE };
      return tx.q.update(watches).set(set).where(and(isOne, isDue)).returning();
    },
    { isolation: "repeatable read" },
  );
}
