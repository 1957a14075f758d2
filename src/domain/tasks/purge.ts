import { and, eq, inArray, isNull, lte, or } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { completeProjectTasks } from "./project-tasks.ts";
import { deletePushConfigs } from "./push-configs.ts";
import { TASK_RETENTION } from "./write.ts";

/** Most tasks that one transaction deletes, with their messages. */
const BATCH = 500;

/** Deletes tasks, their messages and push configurations when their retention ends; for a task that waits for input, it starts with the wait. */
export async function purgeTasks(db: Engine, now: number): Promise<void> {
  // Otherwise a task is completed when it is read, which may never have happened.
  await completeProjectTasks(db, null, now);
  while ((await db.tx((tx) => purgeBatch(tx, now))) >= BATCH);
}

async function purgeBatch(tx: Tx, now: number): Promise<number> {
  const {
    q,
    t: { tasks, taskMessages, pushConfigs },
  } = tx;
  const isAbandoned = and(
    isNull(tasks.expiresAt),
    eq(tasks.state, "input_required"),
    lte(tasks.stateAt, now - TASK_RETENTION.other),
  );
  const expired = await q
    .select({ id: tasks.id })
    .from(tasks)
    .where(or(lte(tasks.expiresAt, now), isAbandoned))
    .limit(BATCH);
  if (expired.length === 0) return 0;
  const ids = expired.map(({ id }) => id);
  const configs = await tx.q.select({ id: pushConfigs.id }).from(pushConfigs).where(inArray(pushConfigs.taskId, ids));
  await deletePushConfigs(
    tx,
    configs.map(({ id }) => id),
  );
  await q.delete(taskMessages).where(inArray(taskMessages.taskId, ids));
  await q.delete(tasks).where(inArray(tasks.id, ids));
  return ids.length;
}
