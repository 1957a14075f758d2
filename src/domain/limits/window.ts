import { and, eq, gte, inArray, lt, ne, or, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import type { MinuteLimit } from "./minute.ts";

const LENGTHS = {
  minute: MINUTE,
  "10 minutes": 10 * MINUTE,
  "15 minutes": 15 * MINUTE,
  hour: HOUR,
  "24 hours": DAY,
  // No time ends it: the count is reset by what it waits for.
  "since the last sign-in": Number.POSITIVE_INFINITY,
} as const;

/** Most rows that one transaction deletes; it blocks other writers for a few ms. */
const BATCH = 500;

/** The lengths of all windows. The table has none of days (day.ts). */
const ALL_LENGTHS = { ...LENGTHS, day: DAY } as const;

type Windows = typeof LENGTHS;
type Named = typeof LIMITS;

/** Limits that are counted in the database: exact over all processes. */
export type WindowLimit = Exclude<
  { [K in keyof Named]: Named[K]["window"] extends keyof Windows ? K : never }[keyof Named],
  MinuteLimit
>;

/** Limits that an operation may name: those counted per account. */
export type OperationLimit = {
  [K in WindowLimit]: Named[K]["per"] extends `account: ${string}` ? K : never;
}[WindowLimit];

/** Whether the limit counts what was made, and not the calls. */
export function countsMade(name: OperationLimit): boolean {
  return "countsMade" in LIMITS[name];
}

/**
 * Counts one call of `subject`, or `amount` things at once, in the fixed window of `now` (real time). What is refused is not
 * counted.
 * @throws Refusal rate_limited, with Retry-After if time ends it
 */
export async function consumeLimit(
  db: Engine,
  subject: string,
  name: WindowLimit,
  now: number,
  amount = 1,
): Promise<void> {
  // Two simultaneous calls always change the same row, so the database lets only one of them pass at a time.
  const options = { isolation: "repeatable read" } as const;
  await db.tx((tx) => consumeLimitIn(tx, subject, name, now, amount), options);
}

/** As `consumeLimit`, in the transaction of what is counted. */
export async function consumeLimitIn(
  tx: Tx,
  subject: string,
  name: WindowLimit,
  now: number,
  amount = 1,
  most: number = LIMITS[name].count,
): Promise<void> {
  const set = await nextCount(tx, subject, name, now, amount, most);
  const { windows } = tx.t;
  await tx.q
    .insert(windows)
    .values({ subject, name, ...set })
    .onConflictDoUpdate({ target: [windows.subject, windows.name], set });
}

/** Refuses what `consumeLimit` would refuse, and counts nothing. @throws Refusal rate_limited */
export async function refuseOverLimit(db: Reader, subject: string, name: WindowLimit, now: number): Promise<void> {
  await nextCount(db, subject, name, now, 1);
}

/** The count of the present window with `amount` more. @throws Refusal rate_limited */
async function nextCount(
  db: Reader,
  subject: string,
  name: WindowLimit,
  now: number,
  amount: number,
  most: number = LIMITS[name].count,
) {
  const limit = LIMITS[name];
  const length = LENGTHS[limit.window];
  const window = Math.floor(now / length);
  const [row] = await db.q
    .select()
    .from(db.t.windows)
    .where(rowOf(db, subject, name));
  const count = (row?.window === window ? row.count : 0) + amount;
  if (count <= most) return { window, count };
  if (length === Number.POSITIVE_INFINITY) throw new Refusal("rate_limited", limit.sentence);
  const seconds = Math.ceil(((window + 1) * length - now) / 1000);
  const headers = { "Retry-After": String(seconds) };
  throw new Refusal("rate_limited", `${limit.sentence} Try again in ${seconds} s.`, {}, headers);
}

/**
 * As `consumeLimitIn`, without refusing.
 * @param most where a setting allows fewer than the table
 * @returns whether the call was within the limit, and so counted
 */
export async function tryConsumeLimit(
  tx: Tx,
  subject: string,
  name: WindowLimit,
  now: number,
  { amount = 1, most }: { readonly amount?: number; readonly most?: number } = {},
): Promise<boolean> {
  try {
    await consumeLimitIn(tx, subject, name, now, amount, most);
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal) return false;
    throw thrown;
  }
}

/** Takes one call, or `amount` things, back out of the count. @param now as it was counted */
export async function refundLimit(tx: Tx, subject: string, name: WindowLimit, now: number, amount = 1): Promise<void> {
  const { windows } = tx.t;
  const window = Math.floor(now / LENGTHS[LIMITS[name].window]);
  await tx.q
    .update(windows)
    .set({ count: sql`${windows.count} - ${amount}` })
    .where(and(rowOf(tx, subject, name), eq(windows.window, window), gte(windows.count, amount)));
}

/** Sets the count of a subject to zero. */
export async function resetLimit(tx: Tx, subject: string, name: WindowLimit): Promise<void> {
  await tx.q.delete(tx.t.windows).where(rowOf(tx, subject, name));
}

/** Deletes windows that have passed. */
export async function purgeWindows(db: Engine, now: number): Promise<void> {
  while ((await db.tx((tx) => purgeBatch(tx, now))) >= BATCH);
}

async function purgeBatch(tx: Tx, now: number): Promise<number> {
  const { windows } = tx.t;
  const { subject, name } = windows;
  // One condition for all limits, so that the table is read once.
  const passed = or(
    ...Object.entries(LIMITS).map(([limit, { window }]) => {
      const current = Math.floor(now / ALL_LENGTHS[window]);
      // A limit that no longer has a length may still have rows of numbered windows.
      return and(eq(name, limit), current === 0 ? ne(windows.window, 0) : lt(windows.window, current));
    }),
  );
  const subjects = tx.q.select({ subject }).from(windows).where(passed).limit(BATCH);
  const deleted = await tx.q
    .delete(windows)
    .where(and(passed, inArray(subject, subjects)))
    .returning({ subject });
  return deleted.length;
}

function rowOf({ t: { windows } }: Reader, subject: string, name: WindowLimit) {
  return and(eq(windows.subject, subject), eq(windows.name, name));
}
