import { and, count, eq, inArray, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { activeKeys } from "../credentials/keys.ts";
import { balanceOf } from "../ledger/ledger.ts";
import { grantsOf } from "../oauth/grants.ts";
import { creditsWaiting } from "../projects/waiting.ts";

/** What the deletion of an account would end, as its owner sees before. */
export interface DeletionPreview {
  readonly balance: number;
  /** Credits of unsent links, which are returned to the balance first. */
  readonly creditsReturned: number;
  /** Links that were not sent, or not looked up, yet. */
  readonly unsentLinks: number;
  /** Links that were sent, and whose outcome is open. */
  readonly openLinks: number;
  readonly runningProjects: number;
  /** Watches that run, which pause. */
  readonly watches: number;
  readonly keys: number;
  /** Connected apps and agents. */
  readonly connections: number;
}

export async function previewDeletion(db: Reader, accountId: string, now: number): Promise<DeletionPreview> {
  const { projects, watches } = db.t;
  const total = (expression: unknown) => sql<number>`coalesce(sum(${expression}), 0)`.mapWith(Number);
  const [running] = await db.q
    .select({
      runningProjects: sql<number>`count(*)`.mapWith(Number),
      unsentLinks: total(projects.waiting),
      openLinks: total(projects.checking),
    })
    .from(projects)
    .where(and(eq(projects.accountId, accountId), eq(projects.status, "active")));
  const isRunning = and(eq(watches.accountId, accountId), inArray(watches.status, ["active", "held"]));
  const [watched] = await db.q.select({ watches: count() }).from(watches).where(isRunning);
  return {
    ...running!,
    ...watched!,
    balance: await balanceOf(db, accountId),
    creditsReturned: await creditsWaiting(db, accountId),
    keys: await activeKeys(db, accountId, now),
    connections: (await grantsOf(db, accountId)).length,
  };
}
