import { and, lt, sql } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { SIZES } from "../../platform/sizes.ts";

/**
 * Deletes days whose time is over. Of each host the last of them stays, as the first day that is kept: its counts hold until the
 * next change.
 * @param service service time
 */
export async function purgeCoverage(db: Engine, service: number): Promise<void> {
  const first = Math.floor(service / DAY) - SIZES.coverageDays + 1;
  await db.tx(async ({ q, t: { coverageDays: days } }) => {
    const isReplaced = sql`EXISTS (SELECT 1 FROM coverage_days b WHERE b.account_id = ${days.accountId}
      AND b.host = ${days.host} AND b.day > ${days.day} AND b.day <= ${first})`;
    await q.delete(days).where(and(lt(days.day, first), isReplaced));
    await q.update(days).set({ day: first }).where(lt(days.day, first));
  });
}
