import type { Tx } from "../../db/engine.ts";
import { approvalOf, statusOf } from "../../src/domain/spending/approvals.ts";
import { taskWaitingFor } from "../../src/domain/tasks/waiting.ts";
import { errorEnvelope, Refusal } from "../../src/platform/errors/errors.ts";
import { formatCount } from "../../src/platform/format.ts";
import { jsonLength } from "../../src/platform/json/raw-list.ts";
import type { Json } from "../wire.ts";
import { dataPart, refused, type TaskOutcome } from "./outcome.ts";
import type { TaskNotes } from "./task-notes.ts";

/** Longest input, in characters of JSON, that is kept for the time of the approval: 10,000 URLs of a hundred each. */
const MAX_INPUT = 1024 * 1024;

/**
 * The outcome of a call that a person has to approve. The task waits, and goes on by itself after the approval
 * (TaskResumer). It is rejected if the input is too long, or too many calls wait already.
 * @param input with its idempotency key
 */
export function awaitsApproval(
  refusal: Refusal,
  { siteUrl, input, notes }: { siteUrl: string; input: Json; notes: TaskNotes },
): TaskOutcome {
  const { needed, approval_url: url, expires_at: expiresAt } = refusal.fields as unknown as ApprovalFields;
  if (expiresAt === null || jsonLength(input) > MAX_INPUT) return refused(refusal, siteUrl);
  const needs =
    needed > 0
      ? `Needs ${formatCount(needed, "credit")}, which a person has to approve. Nothing was spent.`
      : "A person has to approve this call, which costs nothing. Nothing was done.";
  const message = `${needs} Give approval_url to your user, who decides there until expires_at; once it is approved, this task continues by itself.`;
  const { error } = errorEnvelope(new Refusal("approval_required", message, refusal.fields), siteUrl);
  return {
    state: "input_required",
    parts: [{ text: `Your user has to approve this call at ${url} .` }, dataPart({ error })],
    input,
    notes,
    approvalId: url.slice(url.lastIndexOf("/") + 1),
  };
}

/** What the refusal `approval_required` tells. */
interface ApprovalFields {
  readonly needed: number;
  readonly approval_url: string;
  /** Null: nobody is asked, since too many calls wait already. */
  readonly expires_at: string | null;
}

/** The input with the key of the header, so that the call keeps it when it goes on. */
export function withKey(input: Json, idempotencyKey: string | undefined): Json {
  return idempotencyKey === undefined ? input : { ...input, idempotency_key: idempotencyKey };
}

/**
 * Until when a task waits for its approval: its end, or now if it was decided in between. `otherTask` waits for it already, since
 * it makes the same call: one yes is for one call.
 * @returns null for an outcome without an approval
 */
export async function waitOf(
  tx: Tx,
  { approvalId, accountId, taskId, now }: { approvalId?: string; accountId: string; taskId: string; now: number },
): Promise<{ readonly until?: number; readonly otherTask?: string } | null> {
  if (approvalId === undefined) return null;
  const waiting = await taskWaitingFor(tx, accountId, approvalId);
  if (waiting !== null && waiting !== taskId) return { otherTask: waiting };
  const approval = await approvalOf(tx, accountId, approvalId);
  return { until: approval && statusOf(approval, now) === "open" ? approval.expiresAt : now };
}

/** The outcome of a call that another task waits to make. */
export function waitsAlready({ parts }: TaskOutcome, otherTask: string): TaskOutcome {
  const text = `The task ${otherTask} makes the same call, and waits for its approval. Follow that one, or send this call again when it has ended.`;
  return { state: "rejected", parts: [{ text }, ...parts] };
}
