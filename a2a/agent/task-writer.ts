import type { Tx } from "../../db/engine.ts";
import type { Answer, Services } from "../../src/contract/call.ts";
import type { AnyOperation } from "../../src/contract/operation.ts";
import { countOpen, type TaskRecord, taskById, taskOfMessage } from "../../src/domain/tasks/read.ts";
import { newTask, type TaskTurn, type TaskUpdate, updateByAnswer, writeTurn } from "../../src/domain/tasks/write.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { waitOf, waitsAlready } from "./approval.ts";
import { statusMessage, type TaskOutcome } from "./outcome.ts";

/** Most tasks of an account that wait for input at once. */
const MAX_WAITING = 100;

/**
 * Writes the turns of one account. Nothing is written for a caller without an account, because the caller could not
 * read it again.
 */
export class TaskWriter {
  readonly #services: Pick<Services, "db" | "clock">;
  readonly #accountId: string | null;

  constructor(services: Pick<Services, "db" | "clock">, accountId: string | null) {
    this.#services = services;
    this.#accountId = accountId;
  }

  /** Writes a turn that no successful call has written. @returns null on a conflict @throws Refusal rate_limited */
  async writeOutcome(turn: TaskTurn, outcome: TaskOutcome): Promise<TaskRecord | null> {
    const accountId = this.#accountId;
    if (accountId === null) return newRecord("", turn, this.#updateBy(turn, withoutQuestion(outcome)));
    if (turn.revision === null && outcome.state === "input_required" && !outcome.notes?.isPending) {
      await this.#refuseTooManyWaiting(accountId);
    }
    try {
      const update = await this.#services.db.tx((tx) => this.#write(tx, turn, outcome), { serializeBy: accountId });
      return turn.revision === null ? newRecord(accountId, turn, update) : this.read(turn);
    } catch (thrown) {
      if (thrown instanceof Refusal && (await this.hasConflict(turn))) return null;
      throw thrown;
    }
  }

  async #write(tx: Tx, turn: TaskTurn, asked: TaskOutcome): Promise<TaskUpdate> {
    const accountId = this.#accountId!;
    const { withdraws } = turn;
    const wait = await waitOf(tx, { ...asked, accountId, taskId: turn.taskId, now: this.#services.clock.now() });
    const outcome = wait?.otherTask === undefined ? asked : waitsAlready(asked, wait.otherTask);
    const { approvalId = null } = outcome;
    const update = { ...this.#updateBy(turn, outcome), approvalId, resumeAt: wait?.until ?? null };
    await writeTurn(tx, accountId, { ...turn, withdraws: withdraws === approvalId ? null : withdraws }, update);
    return update;
  }

  /** The task of a turn whose call has succeeded. With a credential, the call itself has written it. */
  async recordOfAnswer(turn: TaskTurn, operation: AnyOperation, answer: Answer): Promise<TaskRecord> {
    if (turn.revision !== null) return this.read(turn);
    const now = answer.turnAt ?? this.#services.clock.now();
    return newRecord(this.#accountId ?? "", turn, updateByAnswer(answer, { turn, operation, now }));
  }

  async read({ taskId }: TaskTurn): Promise<TaskRecord> {
    return (await taskById(this.#services.db, this.#accountId!, taskId))!;
  }

  /**
   * Whether the message was handled or its task changed in the meantime. The read is a transaction, so that it waits
   * for another one that is doing so.
   */
  async hasConflict({ messageId, taskId, revision }: TaskTurn): Promise<boolean> {
    const accountId = this.#accountId;
    if (accountId === null) return false;
    return this.#services.db.tx(async (tx) => {
      if (messageId !== null && (await taskOfMessage(tx, accountId, messageId))) return true;
      return revision !== null && (await taskById(tx, accountId, taskId))?.task.revision !== revision;
    });
  }

  #updateBy(turn: TaskTurn, outcome: TaskOutcome): TaskUpdate {
    const { state, input } = outcome;
    return {
      state,
      said: JSON.stringify(statusMessage(turn, outcome)),
      input: input ? JSON.stringify(input) : null,
      now: this.#services.clock.now(),
    };
  }

  /** Tasks whose question is never answered are kept, so their number is limited. @throws Refusal rate_limited */
  async #refuseTooManyWaiting(accountId: string): Promise<void> {
    if ((await countOpen(this.#services.db, accountId, "input_required")) < MAX_WAITING) return;
    const message = `${MAX_WAITING} tasks of this account wait for input. Answer them or cancel them, or send the whole input at once.`;
    throw new Refusal("rate_limited", message, {}, { "Retry-After": "60" });
  }
}

/** The task that a turn began, as it was written. */
function newRecord(accountId: string, turn: TaskTurn, update: TaskUpdate): TaskRecord {
  return { task: newTask(accountId, turn, update), project: null };
}

/** A caller without a credential cannot answer a question: the task is rejected instead. */
function withoutQuestion({ metadata: _, ...outcome }: TaskOutcome): TaskOutcome {
  return { ...outcome, state: outcome.state === "input_required" ? "rejected" : outcome.state };
}
