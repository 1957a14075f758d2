import { TaskNotCancelableError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { type TaskRecord, taskById } from "../../src/domain/tasks/read.ts";
import { isTerminal, TASK } from "../../src/domain/tasks/states.ts";
import { type TaskTurn, writeTurn } from "../../src/domain/tasks/write.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { Principal } from "../../src/platform/principal.ts";
import type { A2aCall } from "../methods.ts";
import { operationNamed } from "../skills.ts";
import { findTask } from "./access.ts";
import type { AgentParts } from "./agent.ts";
import { notesOf } from "./received-message.ts";

/** How often it is tried while others change the task. */
const TRIES = 5;

/**
 * Cancels a task (section 3.1.5). Of a project that is watched, what was not sent yet is cancelled with it: both in one
 * transaction, so that no task is canceled whose URLs go out.
 * @throws Refusal insufficient_scope, and errors of the protocol
 */
export async function cancelTask(parts: AgentParts, call: A2aCall, id: string): Promise<TaskRecord> {
  const principal = parts.guard.requireCredential(call.admission, call.caller);
  for (let left = TRIES; left > 0; left--) {
    const record = await findTask(parts.services, principal, id);
    refuseOver(record);
    try {
      await (record.project ? cancelProject(parts, call, record) : withdraw(parts, principal, record));
      return (await taskById(parts.services.db, principal.accountId, id))!;
    } catch (thrown) {
      // Another was quicker: it is looked at again.
      if (!(thrown instanceof Refusal) || thrown.code !== "idempotency_in_flight") throw thrown;
    }
  }
  throw new UnsupportedOperationError("Others are changing this task. Read it, and cancel it again.");
}

/** @throws TaskNotCancelableError */
function refuseOver(record: TaskRecord): void {
  if (isTerminal(record.task.state)) throw new TaskNotCancelableError("The task is over.");
  if (!notesOf(record).isPending) return;
  throw new TaskNotCancelableError("The payment was handed over, and is credited if the chain takes it.");
}

async function cancelProject({ guard, executor }: AgentParts, call: A2aCall, record: TaskRecord): Promise<void> {
  const { admission, caller } = call;
  const { principal, requestsToday } = admission;
  const operation = operationNamed("cancel_links");
  guard.authorize(operation, admission, caller);
  const json = { project_id: record.project!.id };
  await executor.run({ operation, json, audience: "agent", turn: turnOver(record), principal, requestsToday });
}

/** Nothing was begun, so that nothing has to be undone. */
async function withdraw({ services }: AgentParts, { accountId }: Principal, record: TaskRecord): Promise<void> {
  const { db, clock } = services;
  await db.tx((tx) => writeTurn(tx, accountId, turnOver(record), { state: TASK.canceled, now: clock.now() }));
}

function turnOver({ task }: TaskRecord): TaskTurn {
  const { id: taskId, contextId, skill, history, metadata, version } = task;
  const silent = { messageId: null, digest: "" };
  return { taskId, contextId, skill, history, metadata, version, ...silent, stateOnSuccess: TASK.canceled };
}
