import { and, eq } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { placeholders } from "../../../db/placeholders.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { isOver, TASK, type TaskState } from "./states.ts";

export type TaskRow = Schema["tasks"]["$inferSelect"];

/** How long a task is kept once it is over: of one that changed nothing, and of all others. */
export const KEPT = { idle: DAY, other: 30 * DAY };

/** A message of a task, and the task as it stood when the message came. Plain data; it crosses threads. */
export interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly skill: string | null;
  /** Null where no message asked for it: a cancel. */
  readonly messageId: string | null;
  /** SHA-256 of what the message asks for. */
  readonly digest: string;
  /** JSON of the messages with this one. */
  readonly history: string;
  readonly metadata: string | null;
  /** Of the task that the message goes on with; null where it begins one. */
  readonly version: number | null;
  /** What the task becomes when the call that is made for it succeeds. */
  readonly becomes: TaskState;
}

/** What the turn came to. */
export interface Outcome {
  readonly state: TaskState;
  readonly input?: string | null;
  readonly said?: string | null;
  readonly answer?: string | null;
  readonly answerHeaders?: string | null;
  /** Absent: the one it has. */
  readonly projectNo?: number;
  /** Whether nothing but reading was done. */
  readonly isRead?: boolean;
  readonly now: number;
}

/** What the answer of a call makes of the turn that it was made for. */
export function answeredBy(
  {
    text,
    headers,
    replayed,
  }: { text: string; headers?: Readonly<Record<string, string>> | undefined; replayed: boolean },
  { turn, operation, now }: { turn: Turn; operation: { readonly effect: string }; now: number },
): Outcome {
  const said = { ...headers, ...(replayed ? { "Idempotent-Replayed": "true" } : {}) };
  return {
    state: turn.becomes,
    answer: text,
    answerHeaders: Object.keys(said).length > 0 ? JSON.stringify(said) : null,
    isRead: operation.effect === "read",
    now,
  };
}

/** The task that a turn begins, as it is written. */
export function newTask(accountId: string, turn: Turn, outcome: Outcome): TaskRow {
  const { state, now, projectNo = null } = outcome;
  const { taskId: id, contextId, skill, history, metadata } = turn;
  const isIdle = (outcome.isRead ?? false) || state === TASK.rejected;
  return {
    id,
    accountId,
    contextId,
    skill,
    state,
    stateAt: now,
    version: 0,
    input: outcome.input ?? null,
    said: outcome.said ?? null,
    answer: outcome.answer ?? null,
    answerHeaders: outcome.answerHeaders ?? null,
    history,
    metadata,
    projectNo,
    createdAt: now,
    expiresAt: isOver(state) ? now + (isIdle ? KEPT.idle : KEPT.other) : null,
  };
}

/**
 * Writes what a turn came to: the task, and that its message was acted on. In the transaction of the work, so that
 * both are there or neither, and of two that act on one message or one task, one is undone.
 * @throws Refusal idempotency_in_flight when another was quicker
 */
export async function takeTurn(tx: Tx, accountId: string, turn: Turn, outcome: Outcome): Promise<void> {
  const { taskId, messageId, digest, version } = turn;
  if (messageId !== null) {
    const taken = await insertMessage(tx).execute({ accountId, messageId, taskId, digest });
    if (taken.length === 0) throw tooLate();
  }
  const task = newTask(accountId, turn, outcome);
  if (version === null) await insertTask(tx).execute({ ...task });
  else await changeTask(tx, task, version, outcome);
}

async function changeTask(tx: Tx, task: TaskRow, version: number, { projectNo }: Outcome): Promise<void> {
  const { tasks } = tx.t;
  const { id, accountId, createdAt: _, projectNo: __, ...values } = task;
  const changed = await tx.q
    .update(tasks)
    .set({ ...values, ...(projectNo === undefined ? {} : { projectNo }), version: version + 1 })
    .where(and(eq(tasks.id, id), eq(tasks.accountId, accountId), eq(tasks.version, version)))
    .returning({ id: tasks.id });
  if (changed.length === 0) throw tooLate();
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

function tooLate(): Refusal {
  return new Refusal(
    "idempotency_in_flight",
    "The task is being changed by another message, or this message was acted on already. Read the task again.",
    {},
    { "Retry-After": "1" },
  );
}
