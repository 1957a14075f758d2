import { and, asc, eq, isNull, lte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { TaskRow } from "./write.ts";

/** The id of the task that waits for an approval, or goes on by it; null when there is none. */
export async function taskWaitingFor(db: Reader, accountId: string, approvalId: string): Promise<string | null> {
  const { tasks } = db.t;
  const isIts = and(eq(tasks.accountId, accountId), eq(tasks.approvalId, approvalId), isNull(tasks.expiresAt));
  const [task] = await db.q.select({ id: tasks.id }).from(tasks).where(isIts);
  return task?.id ?? null;
}

/** A task that may be able to go on. */
export type DueTask = Pick<TaskRow, "id" | "accountId" | "revision" | "resumeAt">;

/** Tasks that are to be looked at, the longest due first. @param now real time */
export function dueTasks({ q, t: { tasks } }: Reader, now: number, limit: number): Promise<DueTask[]> {
  const { id, accountId, revision, resumeAt } = tasks;
  return q
    .select({ id, accountId, revision, resumeAt })
    .from(tasks)
    .where(lte(resumeAt, now))
    .orderBy(asc(resumeAt))
    .limit(limit);
}

/**
 * Says when a task is to be looked at next. Only one of several processes that have found the same task succeeds, and it has
 * the task until that time.
 * @returns false when the task has changed since it was read
 */
export async function postponeTask(
  { q, t: { tasks } }: Tx,
  { id, revision, resumeAt }: DueTask,
  until: number,
): Promise<boolean> {
  const isSame = and(eq(tasks.id, id), eq(tasks.revision, revision), eq(tasks.resumeAt, resumeAt!));
  const changed = await q.update(tasks).set({ resumeAt: until }).where(isSame).returning({ id: tasks.id });
  return changed.length > 0;
}
