import { and, eq, inArray, isNull, lte, or } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { completeProjectTasks } from "./project-tasks.ts";
import { TASK_RETENTION } from "./write.ts";

/** Most tasks that one transaction deletes, with their messages. */
const BATCH = 500;

/** Deletes tasks, and their messages, once their retention is over; of those that wait for input, since they began to. */
export async function purgeTasks(db: Engine, now: number): Promise<void> {
  // Reading a task completes it, and these may never have been read.
  await completeProjectTasks(db, null, now);
  while ((await db.tx((tx) => purgeSome(tx, now))) >= BATCH);
}

async function purgeSome({ q, t: { tasks, taskMessages } }: Tx, now: number): Promise<number> {
  const leftWaiting = and(
    isNull(tasks.expiresAt),
    eq(tasks.state, "input_required"),
    lte(tasks.stateAt, now - TASK_RETENTION.other),
  );
  const expired = await q
    .select({ id: tasks.id })
    .from(tasks)
    .where(or(lte(tasks.expiresAt, now), leftWaiting))
    .limit(BATCH);
  if (expired.length === 0) return 0;
  const ids = expired.map(({ id }) => id);
  await q.delete(taskMessages).where(inArray(taskMessages.taskId, ids));
  await q.delete(tasks).where(inArray(tasks.id, ids));
  return ids.length;
}
