import { and, eq } from "drizzle-orm";
import type { Reader, Tx } from "../../db/engine.ts";
import type { Schema } from "../../db/schema.ts";
import { DAY } from "../clock.ts";
import { Refusal } from "../errors.ts";
import { isOver, TASK, type TaskState } from "./states.ts";

export type TaskRow = Schema["tasks"]["$inferSelect"];

/** How long a task is kept once it is over: of one that only read, and of all others. */
const KEPT = { read: DAY, other: 30 * DAY };

/** A message of a task, and the task as it stood when the message came. Plain data; it crosses threads. */
export interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly skill: string | null;
  readonly messageId: string;
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
  readonly projectNo?: number | null;
  /** Whether nothing but reading was done. */
  readonly isRead?: boolean;
  readonly now: number;
}

/**
 * Writes what a turn came to: the task, and that its message was acted on. In the transaction of the work, so that
 * both are there or neither, and of two that act on one message or one task, one is undone.
 * @throws Refusal idempotency_in_flight when another was quicker
 */
export async function takeTurn(tx: Tx, accountId: string, turn: Turn, outcome: Outcome): Promise<void> {
  const { tasks, taskMessages } = tx.t;
  const { taskId, messageId, digest } = turn;
  const taken = await tx.q
    .insert(taskMessages)
    .values({ accountId, messageId, taskId, digest })
    .onConflictDoNothing()
    .returning({ taskId: taskMessages.taskId });
  if (taken.length === 0) throw tooLate();
  const { state, now, isRead = false } = outcome;
  const values = {
    contextId: turn.contextId,
    skill: turn.skill,
    state,
    stateAt: now,
    input: outcome.input ?? null,
    said: outcome.said ?? null,
    answer: outcome.answer ?? null,
    answerHeaders: outcome.answerHeaders ?? null,
    history: turn.history,
    metadata: turn.metadata,
    projectNo: outcome.projectNo ?? null,
    expiresAt: state === TASK.working ? null : now + (isRead && isOver(state) ? KEPT.read : KEPT.other),
  };
  if (turn.version === null) {
    await tx.q.insert(tasks).values({ id: taskId, accountId, createdAt: now, ...values });
    return;
  }
  const changed = await tx.q
    .update(tasks)
    .set({ ...values, version: turn.version + 1 })
    .where(and(eq(tasks.id, taskId), eq(tasks.accountId, accountId), eq(tasks.version, turn.version)))
    .returning({ id: tasks.id });
  if (changed.length === 0) throw tooLate();
}

/** The task that a message was acted on in, with the digest of what it asked for; null for a new message. */
export async function taskOfMessage(
  db: Reader,
  accountId: string,
  messageId: string,
): Promise<{ task: TaskRow; digest: string } | null> {
  const { tasks, taskMessages } = db.t;
  const [row] = await db.q
    .select({ task: tasks, digest: taskMessages.digest })
    .from(taskMessages)
    .innerJoin(tasks, eq(tasks.id, taskMessages.taskId))
    .where(and(eq(taskMessages.accountId, accountId), eq(taskMessages.messageId, messageId)));
  return row ?? null;
}

function tooLate(): Refusal {
  return new Refusal(
    "idempotency_in_flight",
    "The task is being changed by another message, or this message was acted on already. Read the task again.",
    {},
    { "Retry-After": "1" },
  );
}
