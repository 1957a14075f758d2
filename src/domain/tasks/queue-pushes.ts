import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { EventRow } from "../events/events.ts";
import { queueTaskStates } from "../webhooks/queue.ts";

/** Queues what push configurations are told of tasks whose projects have changed. A consumer of `relayEvents`. */
export async function queuePushes(tx: Tx, events: readonly EventRow[], now: number): Promise<void> {
  const projectIds = [...new Set(events.flatMap(({ projectId }) => projectId ?? []))];
  if (projectIds.length === 0) return;
  const { pushConfigs, tasks, projects } = tx.t;
  const { id, accountId, url } = pushConfigs;
  const accounts = [...new Set(events.map((event) => event.accountId))];
  const configs = await tx.q
    .select({ id, accountId, url })
    .from(pushConfigs)
    .innerJoin(tasks, eq(tasks.id, pushConfigs.taskId))
    .innerJoin(projects, eq(projects.no, tasks.projectNo))
    .where(and(inArray(accountId, accounts), inArray(projects.id, projectIds)));
  await queueTaskStates(tx, configs, now);
}

/** Queues what push configurations are told of a task that has changed, in the transaction of the change. */
export async function queuePushesOf(tx: Tx, taskId: string, now: number): Promise<void> {
  const { pushConfigs } = tx.t;
  const configs = await tx.q.select().from(pushConfigs).where(eq(pushConfigs.taskId, taskId));
  await queueTaskStates(tx, configs, now);
}
