import { and, eq, gt, inArray, lt, or, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";

const LENGTHS = { "10 minutes": 10 * MINUTE, "15 minutes": 15 * MINUTE, hour: HOUR, "24 hours": DAY } as const;

/** Of every count that stands in `windows`: those per minute are shared there too (minute.ts). */
const KEPT = { ...LENGTHS, minute: MINUTE } as const;

type Windows = typeof LENGTHS;
type Named = typeof LIMITS;

/** Limits that are counted in the database, exact over all processes. */
export type WindowLimit = { [K in keyof Named]: Named[K]["window"] extends keyof Windows ? K : never }[keyof Named];

/** Those of single operations, counted per account. */
export type OperationLimit = Extract<WindowLimit, "sitemap_reads" | "site_checks" | "checkout_links">;

/**
 * Counts one call of `subject` in the fixed window that `now` (real time) lies in. A refused call is not counted.
 * @throws Refusal rate_limited, with Retry-After
 */
export async function consumeLimit(db: Engine, subject: string, name: WindowLimit, now: number): Promise<void> {
  // Two that pass change one row both, and so does the first of a window.
  await db.tx((tx) => consumeLimitIn(tx, subject, name, now), { isolation: "repeatable read" });
}

/** The same, in the transaction of what is counted. */
export async function consumeLimitIn(tx: Tx, subject: string, name: WindowLimit, now: number): Promise<void> {
  const limit = LIMITS[name];
  const length = LENGTHS[limit.window];
  const window = Math.floor(now / length);
  const { windows } = tx.t;
  const [row] = await tx.q
    .select()
    .from(windows)
    .where(mine(tx, subject, name));
  const count = row?.window === window ? row.count : 0;
  if (count >= limit.count) {
    const seconds = Math.ceil(((window + 1) * length - now) / 1000);
    const headers = { "Retry-After": String(seconds) };
    throw new Refusal("rate_limited", `${limit.sentence} Try again in ${seconds} s.`, {}, headers);
  }
  const set = { window, count: count + 1 };
  await tx.q
    .insert(windows)
    .values({ subject, name, ...set })
    .onConflictDoUpdate({ target: [windows.subject, windows.name], set });
}

/** The same, where being over is no reason to refuse. @returns whether the call was within the limit */
export async function tryConsumeLimit(tx: Tx, subject: string, name: WindowLimit, now: number): Promise<boolean> {
  try {
    await consumeLimitIn(tx, subject, name, now);
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal) return false;
    throw thrown;
  }
}

/** Takes one call out of the count again. */
export async function refundLimit(tx: Tx, subject: string, name: WindowLimit, now: number): Promise<void> {
  const { windows } = tx.t;
  const window = Math.floor(now / LENGTHS[LIMITS[name].window]);
  await tx.q
    .update(windows)
    .set({ count: sql`${windows.count} - 1` })
    .where(and(mine(tx, subject, name), eq(windows.window, window), gt(windows.count, 0)));
}

/** Forgets what was counted: the last attempt was a good one. */
export async function resetLimit(tx: Tx, subject: string, name: WindowLimit): Promise<void> {
  await tx.q.delete(tx.t.windows).where(mine(tx, subject, name));
}

/** Forgets windows that have passed, of at most `most` subjects. @returns how many windows */
export async function purgeWindows(tx: Tx, now: number, most: number): Promise<number> {
  const { windows } = tx.t;
  const { subject, name } = windows;
  // All limits in one condition: each row is looked at once.
  const passed = or(
    ...Object.entries(LIMITS).flatMap(([limit, { window }]) =>
      window in KEPT
        ? [and(eq(name, limit), lt(windows.window, Math.floor(now / KEPT[window as keyof typeof KEPT])))]
        : [],
    ),
  );
  const subjects = tx.q.select({ subject }).from(windows).where(passed).limit(most);
  const gone = await tx.q
    .delete(windows)
    .where(and(passed, inArray(subject, subjects)))
    .returning({ subject });
  return gone.length;
}

function mine({ t: { windows } }: Tx, subject: string, name: WindowLimit) {
  return and(eq(windows.subject, subject), eq(windows.name, name));
}
