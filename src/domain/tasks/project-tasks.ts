import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { findProject } from "../projects/find.ts";
import { TASK_RETENTION, type TaskTurn, writeTurn } from "./write.ts";

/**
 * Creates a task that follows a project and ends when the project is completed. No worker updates it meanwhile: its
 * progress is read from the project.
 * @throws Refusal not_found, idempotency_in_flight
 */
export async function startProjectTask(
  db: Engine,
  accountId: string,
  turn: TaskTurn,
  projectId: string,
  now: number,
): Promise<void> {
  await db.tx(async (tx) => {
    const project = await findProject(tx, accountId, projectId);
    const state = project.status === "completed" ? "completed" : "working";
    await writeTurn(tx, accountId, turn, { state, projectNo: project.no, now });
  });
}

/** Most tasks that one transaction completes. */
const BATCH = 500;

/**
 * Completes the tasks whose project is completed. Such a project never changes again, so it is the result of the task.
 * @param accountId null for all accounts
 */
export async function completeProjectTasks(db: Engine, accountId: string | null, now: number): Promise<void> {
  for (;;) {
    // Read first, since there is usually nothing to write.
    const ids = await tasksOfCompletedProjects(db, accountId);
    if (ids.length === 0) return;
    await db.tx(async (tx) => {
      const { tasks } = tx.t;
      await tx.q
        .update(tasks)
        .set({
          state: "completed",
          stateAt: now,
          revision: sql`${tasks.revision} + 1`,
          expiresAt: now + TASK_RETENTION.other,
        })
        .where(and(inArray(tasks.id, ids), eq(tasks.state, "working")));
    });
    if (ids.length < BATCH) return;
  }
}

async function tasksOfCompletedProjects(
  { q, t: { tasks, projects } }: Reader,
  accountId: string | null,
): Promise<string[]> {
  const ended = await q
    .select({ id: tasks.id })
    .from(tasks)
    .innerJoin(projects, eq(projects.no, tasks.projectNo))
    .where(
      and(
        // Open tasks have an index of their own.
        isNull(tasks.expiresAt),
        accountId === null ? undefined : eq(tasks.accountId, accountId),
        eq(tasks.state, "working"),
        eq(projects.status, "completed"),
      ),
    )
    .limit(BATCH);
  return ended.map(({ id }) => id);
}
