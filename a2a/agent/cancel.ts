import { TaskNotCancelableError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { requireMayAct } from "../../src/domain/credentials/may-act.ts";
import { type TaskRecord, taskById } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import { type TaskTurn, writeTurn } from "../../src/domain/tasks/write.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { Principal } from "../../src/platform/principal.ts";
import type { A2aCall } from "../methods.ts";
import { operationNamed, skillOf } from "../skills.ts";
import { findTask } from "./access.ts";
import type { AgentDeps } from "./deps.ts";
import { turnWithoutMessage } from "./received-message.ts";
import { notesOf } from "./task-notes.ts";

/** How often a cancel is tried while others change the task. */
const MAX_ATTEMPTS = 5;

/**
 * Cancels a task (section 3.1.5). A task that follows a project also cancels the project's unsent URLs, in the same
 * transaction, so that no URL of a canceled task is sent.
 * @throws Refusal insufficient_scope, and errors of the protocol
 */
export async function cancelTask(deps: AgentDeps, call: A2aCall, id: string): Promise<TaskRecord> {
  const principal = deps.guard.requireCredential(call.admission, call.caller);
  for (let left = MAX_ATTEMPTS; left > 0; left--) {
    const record = await findTask(deps.services, principal, id);
    refuseUncancelable(record);
    try {
      await (record.project ? cancelProject(deps, call, record) : cancelWaiting(deps, principal, record));
      return (await taskById(deps.services.db, principal.accountId, id))!;
    } catch (thrown) {
      // The task was changed in between and has to be read again.
      if (!(thrown instanceof Refusal) || thrown.code !== "idempotency_in_flight") throw thrown;
    }
  }
  throw new UnsupportedOperationError("Other requests are changing this task. Read it, and cancel it again.");
}

/** @throws TaskNotCancelableError */
function refuseUncancelable(record: TaskRecord): void {
  if (isTerminal(record.task.state)) throw new TaskNotCancelableError("The task has ended.");
  if (!notesOf(record).isPending) return;
  throw new TaskNotCancelableError("The payment was submitted, and is credited if it lands on the chain.");
}

async function cancelProject({ guard, executor }: AgentDeps, call: A2aCall, record: TaskRecord): Promise<void> {
  const { admission, caller } = call;
  const { principal, requestsToday } = admission;
  const operation = operationNamed("cancel_links");
  guard.authorize(operation, admission, caller);
  const input = { project_id: record.project!.id };
  await executor.run({ operation, input, audience: "agent", turn: cancelTurn(record), principal, requestsToday });
}

/**
 * Ends a task that waits for input or is about to go on, together with the approval that it waits for. It has done
 * nothing yet.
 */
async function cancelWaiting({ services }: AgentDeps, principal: Principal, record: TaskRecord): Promise<void> {
  const { db, clock } = services;
  await db.tx(async (tx) => {
    const now = clock.now();
    await requireMayAct(tx, principal, { scopes: skillOf(record.task.skill)?.scopes ?? [], now });
    await writeTurn(tx, principal.accountId, cancelTurn(record), { state: "canceled", now });
  });
}

function cancelTurn(record: TaskRecord): TaskTurn {
  return { ...turnWithoutMessage(record, "canceled"), withdraws: record.task.approvalId };
}
