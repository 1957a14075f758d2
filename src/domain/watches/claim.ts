import { and, asc, gt, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import type { WatchRow } from "./rows.ts";

/** How long a process has for one run, in real ms, before another one may begin it. Only one of the two can write. */
const LEASE = 5 * MINUTE;

/** Nothing is due later than this: a later time was set by a clock that was wrong. */
const LATEST = 8 * DAY;

/** Takes watches that are due, the longest due first, or whose hooks were called. No two processes get the same watch. */
export async function claimDueWatches(db: Engine, { now, service }: Times, limit: number): Promise<WatchRow[]> {
  const { watches } = db.t;
  const isFree = or(isNull(watches.leaseUntil), lte(watches.leaseUntil, now), gt(watches.leaseUntil, now + LEASE));
  const isDue = and(lte(watches.nextRunAt, service), isFree);
  const isCalled = and(lte(watches.calledAt, service), isNotNull(watches.nextRunAt), isFree);
  const isWrong = and(gt(watches.nextRunAt, service + LATEST), isFree);
  const find = async (reader: Reader, most: number) => {
    // A query for each, which reads one end of an index.
    for (const condition of [isDue, isCalled, isWrong]) {
      const query = reader.q.select({ no: watches.no }).from(watches).where(condition);
      const found = await query.orderBy(asc(watches.nextRunAt)).limit(most);
      if (found.length > 0) return found;
    }
    return [];
  };
  // A read decides, so that an idle process never takes the writer.
  if ((await find(db, 1)).length === 0) return [];
  return db.tx(
    async (tx) => {
      const found = (await find(tx, limit)).map(({ no }) => no);
      if (found.length === 0) return [];
      const isOne = and(inArray(watches.no, found), isFree);
      // A call of the hook that comes from now on is another one. A process that ends leaves the watch due.
      const due = sql`CASE WHEN ${watches.nextRunAt} > ${service} THEN ${service} ELSE ${watches.nextRunAt} END`;
      const set = { leaseUntil: now + LEASE, readAt: service, calledAt: null, nextRunAt: due };
      return tx.q.update(watches).set(set).where(isOne).returning();
    },
    { isolation: "repeatable read" },
  );
}
