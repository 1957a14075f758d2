import { and, eq } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { placeholders } from "../../../db/placeholders.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { withdrawApproval } from "../spending/approvals.ts";
import { queuePushesOf } from "./queue-pushes.ts";
import { isTerminal, type TaskState } from "./states.ts";

export type TaskRow = Schema["tasks"]["$inferSelect"];

/** How long a task is kept after its end, in ms: `idle` if it changed nothing, else `other`. */
export const TASK_RETENTION = { idle: DAY, other: 30 * DAY };

/** One turn of a task: a message or a cancellation, and the task revision that it is for. Plain data: it crosses threads. */
export interface TaskTurn {
  readonly taskId: string;
  readonly contextId: string;
  readonly skill: string | null;
  /** Null for a cancellation, which is not a message. */
  readonly messageId: string | null;
  /** SHA-256 of the message's request. */
  readonly digest: string;
  /** The task's messages as JSON, including this one. */
  readonly history: string;
  readonly metadata: string | null;
  /** The revision of the task that the turn continues; null if it begins a task. */
  readonly revision: number | null;
  /** The state of the task when the turn's call succeeds. */
  readonly stateOnSuccess: TaskState;
  /** The approval that the task waited for until now: nothing can use it after the turn. */
  readonly withdraws?: string | null | undefined;
}

/** What a turn writes to its task. */
export interface TaskUpdate {
  readonly state: TaskState;
  readonly input?: string | null;
  readonly said?: string | null;
  readonly answer?: string | null;
  readonly answerHeaders?: string | null;
  /** Absent if the task keeps the one it has. */
  readonly projectNo?: number;
  /** The approval that it waits for, or goes on by. */
  readonly approvalId?: string | null;
  /** When a process is to see whether it can go on; absent: never. */
  readonly resumeAt?: number | null;
  /** Whether the turn changed nothing. */
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
    revision: 0,
    input: update.input ?? null,
    said: update.said ?? null,
    answer: update.answer ?? null,
    answerHeaders: update.answerHeaders ?? null,
    history,
    metadata,
    projectNo,
    approvalId: update.approvalId ?? null,
    resumeAt: update.resumeAt ?? null,
    createdAt: now,
    expiresAt: isTerminal(state) ? now + (isIdle ? TASK_RETENTION.idle : TASK_RETENTION.other) : null,
  };
}

/**
 * Writes the task of a turn and records its message as processed, in the transaction of the turn's work. If two turns have the
 * same message or continue the same revision of a task, one is rolled back.
 * @throws Refusal idempotency_in_flight when another turn was first
 */
export async function writeTurn(tx: Tx, accountId: string, turn: TaskTurn, update: TaskUpdate): Promise<void> {
  const { taskId, messageId, digest, revision, withdraws } = turn;
  if (messageId !== null) {
    const inserted = await insertMessage(tx).execute({ accountId, messageId, taskId, digest });
    if (inserted.length === 0) throw conflict();
  }
  const task = newTask(accountId, turn, update);
  if (revision === null) await insertTask(tx).execute({ ...task });
  else await changeTask(tx, task, revision, update);
  if (withdraws) await withdrawApproval(tx, accountId, { id: withdraws, now: update.now });
}

async function changeTask(tx: Tx, task: TaskRow, revision: number, { projectNo }: TaskUpdate): Promise<void> {
  const { tasks } = tx.t;
  const { id, accountId, createdAt: _, projectNo: __, ...values } = task;
  const changed = await tx.q
    .update(tasks)
    .set({ ...values, ...(projectNo === undefined ? {} : { projectNo }), revision: revision + 1 })
    .where(and(eq(tasks.id, id), eq(tasks.accountId, accountId), eq(tasks.revision, revision)))
    .returning({ id: tasks.id });
  if (changed.length === 0) throw conflict();
  await queuePushesOf(tx, id, task.stateAt);
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
    "Another message is changing the task, or this message was processed already. Read the task again.",
    {},
    { "Retry-After": "1" },
  );
}
