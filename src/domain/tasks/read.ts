import { and, count, desc, eq, getTableColumns, gte, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { ProjectRow } from "../projects/read.ts";
import type { TaskState } from "./states.ts";
import type { TaskRow } from "./write.ts";

/** A task, and the project that it follows, if any. */
export interface TaskRecord {
  readonly task: TaskRow;
  readonly project: ProjectRow | null;
}

/** The last task of the previous page, and when it entered its state (real time). */
export interface TaskCursor {
  readonly stateAt: number;
  readonly id: string;
}

export interface TaskFilter {
  /** Tasks of these skills, and tasks whose skill is not known. */
  readonly skills: readonly string[];
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Tasks that entered their state at this time or later; real time. */
  readonly since?: number | undefined;
}

/** The task, or null when it is not this account's. */
export async function taskById(db: Reader, accountId: string, id: string): Promise<TaskRecord | null> {
  const { tasks } = db.t;
  const [record] = await recordsWhere(db, and(eq(tasks.id, id), eq(tasks.accountId, accountId)));
  return record ?? null;
}

/** The task of a message that was processed, with the digest of its request; null for a new message. */
export async function taskOfMessage(
  db: Reader,
  accountId: string,
  messageId: string,
): Promise<{ record: TaskRecord; digest: string } | null> {
  const [message] = await messageOf(db).execute({ accountId, messageId });
  const record = message && (await taskById(db, accountId, message.taskId));
  return record ? { record, digest: message.digest } : null;
}

const messageOf = (db: Reader) =>
  db.prepared("task_message", ({ q, t: { taskMessages: t } }) =>
    q
      .select()
      .from(t)
      .where(and(eq(t.accountId, sql.placeholder("accountId")), eq(t.messageId, sql.placeholder("messageId")))),
  );

/** The tasks with these ids, of any account, without their inputs, in no particular order. */
export function tasksByIds(db: Reader, ids: readonly string[]): Promise<TaskRecord[]> {
  return select(db, { withInputs: false, withAnswers: true }).where(inArray(db.t.tasks.id, [...ids]));
}

/** A page of an account's tasks without their inputs, last changed first; whether there are more; and how many match in all. */
export async function tasksOf(
  db: Reader,
  accountId: string,
  filter: TaskFilter,
  page: { readonly limit: number; readonly after: TaskCursor | null; readonly withAnswers: boolean },
): Promise<{ records: TaskRecord[]; hasMore: boolean; total: number }> {
  const { tasks } = db.t;
  const all = and(
    eq(tasks.accountId, accountId),
    or(isNull(tasks.skill), inArray(tasks.skill, [...filter.skills])),
    filter.contextId === undefined ? undefined : eq(tasks.contextId, filter.contextId),
    filter.state === undefined ? undefined : eq(tasks.state, filter.state),
    filter.since === undefined ? undefined : gte(tasks.stateAt, filter.since),
  );
  const { after, limit, withAnswers } = page;
  const rest = after
    ? or(lt(tasks.stateAt, after.stateAt), and(eq(tasks.stateAt, after.stateAt), lt(tasks.id, after.id)))
    : undefined;
  const records = await select(db, { withInputs: false, withAnswers })
    .where(and(all, rest))
    .orderBy(desc(tasks.stateAt), desc(tasks.id))
    .limit(limit + 1);
  const [counted] = await db.q.select({ total: count() }).from(tasks).where(all);
  return { records: records.slice(0, limit), hasMore: records.length > limit, total: counted!.total };
}

/** How many tasks of an account are in a state. */
export async function countOpen({ q, t: { tasks } }: Reader, accountId: string, state: TaskState): Promise<number> {
  const [counted] = await q
    .select({ total: count() })
    .from(tasks)
    .where(and(eq(tasks.accountId, accountId), eq(tasks.state, state), isNull(tasks.expiresAt)));
  return counted!.total;
}

function recordsWhere(db: Reader, where: SQL | undefined): Promise<TaskRecord[]> {
  return select(db, { withInputs: true, withAnswers: true }).where(where);
}

/** Inputs and answers can be large: one that is not wanted is null. */
function select(
  { q, t: { tasks, projects } }: Reader,
  { withInputs, withAnswers }: { withInputs: boolean; withAnswers: boolean },
) {
  const columns = getTableColumns(tasks);
  const none = sql<string | null>`NULL`;
  const task = { ...columns, ...(withInputs ? {} : { input: none }), ...(withAnswers ? {} : { answer: none }) };
  return q
    .select({ task: task as typeof columns, project: projects })
    .from(tasks)
    .leftJoin(projects, eq(projects.no, tasks.projectNo));
}
