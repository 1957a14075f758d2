import type { Answer, Services } from "../../src/contract/call.ts";
import type { AnyOperation } from "../../src/contract/operation.ts";
import { countOpen, type TaskRecord, taskById, taskOfMessage } from "../../src/domain/tasks/read.ts";
import { newTask, type TaskTurn, type TaskUpdate, updateByAnswer, writeTurn } from "../../src/domain/tasks/write.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { Principal } from "../../src/platform/principal.ts";
import { statusMessage, type TaskOutcome } from "./outcome.ts";

/** Most tasks of an account that wait for input at once. */
const MAX_WAITING = 100;

/** Writes the turns of one caller. Without a credential nothing is written: the caller could not read it again. */
export class TaskWriter {
  readonly #services: Pick<Services, "db" | "clock">;
  readonly #principal: Principal | null;

  constructor(services: Pick<Services, "db" | "clock">, principal: Principal | null) {
    this.#services = services;
    this.#principal = principal;
  }

  /** Writes a turn that no successful call has written. @returns null on a conflict @throws Refusal rate_limited */
  async writeOutcome(turn: TaskTurn, outcome: TaskOutcome): Promise<TaskRecord | null> {
    const principal = this.#principal;
    if (!principal) return newRecord(principal, turn, this.#updateBy(turn, withoutQuestion(outcome)));
    if (turn.version === null && outcome.state === "input_required" && !outcome.notes?.isPending) {
      await this.#refuseTooManyWaiting(principal.accountId);
    }
    const update = this.#updateBy(turn, outcome);
    try {
      await this.#services.db.tx((tx) => writeTurn(tx, principal.accountId, turn, update), { affectedAccounts: [] });
    } catch (thrown) {
      if (thrown instanceof Refusal && (await this.hasConflict(turn))) return null;
      throw thrown;
    }
    return turn.version === null ? newRecord(principal, turn, update) : this.read(turn);
  }

  /** The task of a turn whose call has succeeded. With a credential, the call itself has written it. */
  async recordOfAnswer(turn: TaskTurn, operation: AnyOperation, answer: Answer): Promise<TaskRecord> {
    if (turn.version !== null) return this.read(turn);
    const now = answer.turnAt ?? this.#services.clock.now();
    return newRecord(this.#principal, turn, updateByAnswer(answer, { turn, operation, now }));
  }

  async read({ taskId }: TaskTurn): Promise<TaskRecord> {
    return (await taskById(this.#services.db, this.#principal!.accountId, taskId))!;
  }

  /**
   * Whether the message was acted on meanwhile, or its task was changed. It is read in a transaction, which waits for
   * the one that may be doing so.
   */
  async hasConflict({ messageId, taskId, version }: TaskTurn): Promise<boolean> {
    if (!this.#principal) return false;
    const { accountId } = this.#principal;
    return this.#services.db.tx(async (tx) => {
      if (messageId !== null && (await taskOfMessage(tx, accountId, messageId))) return true;
      return version !== null && (await taskById(tx, accountId, taskId))?.task.version !== version;
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

  /** Tasks whose question is never answered are kept, so their number has a limit. @throws Refusal rate_limited */
  async #refuseTooManyWaiting(accountId: string): Promise<void> {
    if ((await countOpen(this.#services.db, accountId, "input_required")) < MAX_WAITING) return;
    const message = `${MAX_WAITING} tasks of this account wait for input. Answer them or cancel them, or send the whole input at once.`;
    throw new Refusal("rate_limited", message, {}, { "Retry-After": "60" });
  }
}

/** The task that a turn began, as it was written. */
function newRecord(principal: Principal | null, turn: TaskTurn, update: TaskUpdate): TaskRecord {
  return { task: newTask(principal?.accountId ?? "", turn, update), project: null };
}

/** A caller without a credential cannot answer a question: the task is rejected instead. */
function withoutQuestion({ metadata: _, ...outcome }: TaskOutcome): TaskOutcome {
  return { ...outcome, state: outcome.state === "input_required" ? "rejected" : outcome.state };
}
