import { and, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** How many days back the calls of a key are shown. */
export const USAGE_DAYS = 30;

/** How long the counts are kept, in days. */
const KEPT_DAYS = 400;

/** Calls on one UTC day. */
export interface DayOfCalls {
  /** The start of the day, in ms. */
  readonly at: number;
  readonly calls: number;
}

/**
 * The calls of a key, or of all connections of an app or agent, on each of the last 30 UTC days, oldest first, today included; 0
 * where there were none.
 */
export async function callsByDay(db: Reader, credentials: readonly string[], now: number): Promise<DayOfCalls[]> {
  const { keyUsage } = db.t;
  const today = Math.floor(now / DAY);
  const rows = await db.q
    .select({ day: keyUsage.day, calls: sql<unknown>`sum(${keyUsage.calls})`.mapWith(Number) })
    .from(keyUsage)
    .where(and(inArray(keyUsage.keyId, [...credentials]), gt(keyUsage.day, today - USAGE_DAYS)))
    .groupBy(keyUsage.day);
  const calls = new Map(rows.map((row) => [row.day, Number(row.calls)]));
  return Array.from({ length: USAGE_DAYS }, (_, back) => {
    const day = today - USAGE_DAYS + 1 + back;
    return { at: day * DAY, calls: calls.get(day) ?? 0 };
  });
}

/** The calls of each key of an account in the last 30 days; a key without any is missing. */
export async function callsOfKeys(db: Reader, accountId: string, now: number): Promise<ReadonlyMap<string, number>> {
  const { keyUsage } = db.t;
  const rows = await db.q
    .select({ keyId: keyUsage.keyId, calls: sql<unknown>`sum(${keyUsage.calls})` })
    .from(keyUsage)
    .where(and(eq(keyUsage.accountId, accountId), gt(keyUsage.day, Math.floor(now / DAY) - USAGE_DAYS)))
    .groupBy(keyUsage.keyId);
  return new Map(rows.map(({ keyId, calls }) => [keyId, Number(calls)]));
}

/** Deletes counts of days that are long over. */
export async function purgeKeyUsage(db: Engine, now: number): Promise<void> {
  const { keyUsage } = db.t;
  const isOld = lte(keyUsage.day, Math.floor(now / DAY) - KEPT_DAYS);
  const deleteSome = () =>
    db.tx(async (tx) => {
      const days = tx.q.selectDistinct({ day: keyUsage.day }).from(keyUsage).where(isOld).limit(1);
      return (await tx.q.delete(keyUsage).where(inArray(keyUsage.day, days)).returning()).length;
    });
  while ((await deleteSome()) > 0);
}
