import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { findProject } from "../projects/find.ts";
import { TASK } from "./states.ts";
import { KEPT, type Turn, takeTurn } from "./write.ts";

/**
 * Begins a task that is over when its project is. Nothing works at it: where it stands is read off the project.
 * @throws Refusal not_found, idempotency_in_flight
 */
export async function startWatch(
  db: Engine,
  accountId: string,
  turn: Turn,
  projectId: string,
  now: number,
): Promise<void> {
  await db.tx(async (tx) => {
    const project = await findProject(tx, accountId, projectId);
    const state = project.status === "completed" ? TASK.completed : TASK.working;
    await takeTurn(tx, accountId, turn, { state, projectNo: project.no, now });
  });
}

/** Most tasks that one transaction ends. */
const BATCH = 500;

/**
 * Ends the tasks whose project is completed. A completed project never changes, so that it stays the result.
 * @param accountId null for everybody's
 */
export async function settleWatches(db: Engine, accountId: string | null, now: number): Promise<void> {
  for (;;) {
    // Read first: nearly always there is nothing to write.
    const ids = await endedWatches(db, accountId);
    if (ids.length === 0) return;
    await db.tx(async (tx) => {
      const { tasks } = tx.t;
      await tx.q
        .update(tasks)
        .set({
          state: TASK.completed,
          stateAt: now,
          version: sql`${tasks.version} + 1`,
          expiresAt: now + KEPT.other,
        })
        .where(and(inArray(tasks.id, ids), eq(tasks.state, TASK.working)));
    });
    if (ids.length < BATCH) return;
  }
}

async function endedWatches({ q, t: { tasks, projects } }: Reader, accountId: string | null): Promise<string[]> {
  const ended = await q
    .select({ id: tasks.id })
    .from(tasks)
    .innerJoin(projects, eq(projects.no, tasks.projectNo))
    .where(
      and(
        // Open ones have an index of their own.
        isNull(tasks.expiresAt),
        accountId === null ? undefined : eq(tasks.accountId, accountId),
        eq(tasks.state, TASK.working),
        eq(projects.status, "completed"),
      ),
    )
    .limit(BATCH);
  return ended.map(({ id }) => id);
}
