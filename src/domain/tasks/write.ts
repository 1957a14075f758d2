import { and, eq } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { placeholders } from "../../../db/placeholders.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { isTerminal, type TaskState } from "./states.ts";

export type TaskRow = Schema["tasks"]["$inferSelect"];

/** How long a task is kept after its end, in ms: `idle` where it changed nothing, else `other`. */
export const TASK_RETENTION = { idle: DAY, other: 30 * DAY };

/** One turn of a task: the message (or the cancel) that came, and the version of the task it came for. Plain data; it crosses threads. */
export interface TaskTurn {
  readonly taskId: string;
  readonly contextId: string;
  readonly skill: string | null;
  /** Null for a cancel, which is no message. */
  readonly messageId: string | null;
  /** SHA-256 of what the message asks for. */
  readonly digest: string;
  /** JSON of the task's messages, this one included. */
  readonly history: string;
  readonly metadata: string | null;
  /** Version of the task that the turn continues; null where it begins a task. */
  readonly version: number | null;
  /** State of the task once the call that is made for the turn has succeeded. */
  readonly stateOnSuccess: TaskState;
}

/** What a turn writes to its task. */
export interface TaskUpdate {
  readonly state: TaskState;
  readonly input?: string | null;
  readonly said?: string | null;
  readonly answer?: string | null;
  readonly answerHeaders?: string | null;
  /** Absent: the task keeps the one it has. */
  readonly projectNo?: number;
  /** Whether the turn only read. */
  readonly isRead?: boolean;
  readonly now: number;
}

/** The update of a turn whose call has succeeded. */
export function updateByAnswer(
  {
    text,
    headers,
    replayed,
  }: { text: string; headers?: Readonly<Record<string, string>> | undefined; replayed: boolean },
  { turn, operation, now }: { turn: TaskTurn; operation: { readonly effect: string }; now: number },
): TaskUpdate {
  const said = { ...headers, ...(replayed ? { "Idempotent-Replayed": "true" } : {}) };
  return {
    state: turn.stateOnSuccess,
    answer: text,
    answerHeaders: Object.keys(said).length > 0 ? JSON.stringify(said) : null,
    isRead: operation.effect === "read",
    now,
  };
}

/** The row of a task that a turn begins. */
export function newTask(accountId: string, turn: TaskTurn, update: TaskUpdate): TaskRow {
  const { state, now, projectNo = null } = update;
  const { taskId: id, contextId, skill, history, metadata } = turn;
  const isIdle = (update.isRead ?? false) || state === "rejected";
  return {
    id,
    accountId,
    contextId,
    skill,
    state,
    stateAt: now,
    version: 0,
    input: update.input ?? null,
    said: update.said ?? null,
    answer: update.answer ?? null,
    answerHeaders: update.answerHeaders ?? null,
    history,
    metadata,
    projectNo,
    createdAt: now,
    expiresAt: isTerminal(state) ? now + (isIdle ? TASK_RETENTION.idle : TASK_RETENTION.other) : null,
  };
}

/**
 * Writes the task of a turn, and that its message was acted on. It runs in the transaction of the work, so that both are
 * written or neither; of two that act on the same message or the same version of a task, one is rolled back.
 * @throws Refusal idempotency_in_flight when another was first
 */
export async function writeTurn(tx: Tx, accountId: string, turn: TaskTurn, update: TaskUpdate): Promise<void> {
  const { taskId, messageId, digest, version } = turn;
  if (messageId !== null) {
    const taken = await insertMessage(tx).execute({ accountId, messageId, taskId, digest });
    if (taken.length === 0) throw conflict();
  }
  const task = newTask(accountId, turn, update);
  if (version === null) await insertTask(tx).execute({ ...task });
  else await changeTask(tx, task, version, update);
}

async function changeTask(tx: Tx, task: TaskRow, version: number, { projectNo }: TaskUpdate): Promise<void> {
  const { tasks } = tx.t;
  const { id, accountId, createdAt: _, projectNo: __, ...values } = task;
  const changed = await tx.q
    .update(tasks)
    .set({ ...values, ...(projectNo === undefined ? {} : { projectNo }), version: version + 1 })
    .where(and(eq(tasks.id, id), eq(tasks.accountId, accountId), eq(tasks.version, version)))
    .returning({ id: tasks.id });
  if (changed.length === 0) throw conflict();
}

const insertMessage = (tx: Tx) =>
  tx.prepared("insert_task_message", ({ q, t: { taskMessages } }) =>
    q
      .insert(taskMessages)
      .values(placeholders(taskMessages))
      .onConflictDoNothing()
      .returning({ taskId: taskMessages.taskId }),
  );

const insertTask = (tx: Tx) =>
  tx.prepared("insert_task", ({ q, t: { tasks } }) =>
    q.insert(tasks).values(placeholders(tasks)).returning({ id: tasks.id }),
  );

function conflict(): Refusal {
  return new Refusal(
    "idempotency_in_flight",
    "The task is being changed by another message, or this message was acted on already. Read the task again.",
    {},
    { "Retry-After": "1" },
  );
}
