import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { DAY, HOUR } from "../../platform/clock.ts";
import type { Notifications, RunRow } from "./runs.ts";

/** A run of whose pages engines are to be notified. */
export interface RunToNotify extends Pick<RunRow, "watchNo" | "no" | "accountId" | "at"> {
  readonly urls: Notifications;
  /** Who made its watch. */
  readonly maker: string;
}

/** How long a process has for one run, and between two attempts; in service ms. */
const AGAIN = HOUR;

/** Age of a run at which notifications that could not be sent are given up. */
const GIVEN_UP = 2 * DAY;

/**
 * Takes a run of whose pages engines are to be notified. Only one of several processes gets it.
 * @returns null when there is none
 */
export async function claimNotifications(db: Engine, service: number): Promise<RunToNotify | null> {
  const { watchRuns, watches } = db.t;
  const isDue = lte(watchRuns.notifyAt, service);
  const [due] = await db.q
    .select({ run: watchRuns, maker: watches.maker })
    .from(watchRuns)
    .innerJoin(watches, eq(watches.no, watchRuns.watchNo))
    .where(isDue)
    .orderBy(asc(watchRuns.notifyAt))
    .limit(1);
  if (!due) return null;
  const { run, maker } = due;
  const claimed = await db.tx((tx) =>
    tx.q
      .update(watchRuns)
      .set({ notifyAt: service + AGAIN })
      .where(and(isIt(tx, run), isDue))
      .returning({ no: watchRuns.no }),
  );
  if (claimed.length === 0) return claimNotifications(db, service);
  const { watchNo, no, accountId, at, notifications } = run;
  const urls = notifications === null ? { updated: [], deleted: [] } : (JSON.parse(notifications) as Notifications);
  return { watchNo, no, accountId, at, urls, maker };
}

/** Notes what was sent; what is left is tried again within two days. */
export async function finishNotifications(
  tx: Tx,
  run: RunToNotify,
  { notified, left, service }: { notified: number; left: Notifications; service: number },
): Promise<void> {
  const { watchRuns } = tx.t;
  const isOver = left.updated.length + left.deleted.length === 0 || service - run.at > GIVEN_UP;
  await tx.q
    .update(watchRuns)
    .set({
      notified: sql`${watchRuns.notified} + ${notified}`,
      ...(isOver ? { notifications: null, notifyAt: null } : { notifications: JSON.stringify(left) }),
    })
    .where(isIt(tx, run));
}

function isIt({ t: { watchRuns } }: Tx, { watchNo, no }: Pick<RunRow, "watchNo" | "no">) {
  return and(eq(watchRuns.watchNo, watchNo), eq(watchRuns.no, no));
}
