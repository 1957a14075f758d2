import type { Answer, Services } from "../../src/contract/call.ts";
import type { AnyOperation } from "../../src/contract/operation.ts";
import { countOpen, type TaskRecord, taskById, taskOfMessage } from "../../src/domain/tasks/read.ts";
import { TASK } from "../../src/domain/tasks/states.ts";
import { newTask, type TaskTurn, type TaskUpdate, updateByAnswer, writeTurn } from "../../src/domain/tasks/write.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { Principal } from "../../src/platform/principal.ts";
import { type Ending, messageOf } from "./outcome.ts";

/** Most tasks of an account that wait for input at once. */
const MOST_WAITING = 100;

/** Writes the turns of one caller; of one without a credential there is nobody to keep them for. */
export class Records {
  readonly #services: Pick<Services, "db" | "clock">;
  readonly #principal: Principal | null;

  constructor(services: Pick<Services, "db" | "clock">, principal: Principal | null) {
    this.#services = services;
    this.#principal = principal;
  }

  /** @returns null where another was quicker @throws Refusal rate_limited */
  async end(turn: TaskTurn, ending: Ending): Promise<TaskRecord | null> {
    const principal = this.#principal;
    if (!principal) return begun(principal, turn, this.#outcomeOf(turn, unanswerable(ending)));
    if (turn.version === null && ending.state === TASK.inputRequired && !ending.notes?.isPending) {
      await this.#refuseCrowd(principal.accountId);
    }
    const outcome = this.#outcomeOf(turn, ending);
    try {
      await this.#services.db.tx((tx) => writeTurn(tx, principal.accountId, turn, outcome));
    } catch (thrown) {
      if (thrown instanceof Refusal && (await this.wasLate(turn))) return null;
      throw thrown;
    }
    return turn.version === null ? begun(principal, turn, outcome) : this.written(turn);
  }

  /** The answer of a call that was made for the turn: with a credential, the call has written it. */
  async answered(turn: TaskTurn, operation: AnyOperation, answer: Answer): Promise<TaskRecord> {
    if (turn.version !== null) return this.written(turn);
    const now = answer.turnAt ?? this.#services.clock.now();
    return begun(this.#principal, turn, updateByAnswer(answer, { turn, operation, now }));
  }

  async written({ taskId }: TaskTurn): Promise<TaskRecord> {
    return (await taskById(this.#services.db, this.#principal!.accountId, taskId))!;
  }

  /**
   * Whether this message was acted on meanwhile, or its task was changed. Asked in a transaction, which waits for those
   * before it: whoever was refused for another hears of it before the other is done.
   */
  async wasLate({ messageId, taskId, version }: TaskTurn): Promise<boolean> {
    if (!this.#principal) return false;
    const { accountId } = this.#principal;
    return this.#services.db.tx(async (tx) => {
      if (messageId !== null && (await taskOfMessage(tx, accountId, messageId))) return true;
      return version !== null && (await taskById(tx, accountId, taskId))?.task.version !== version;
    });
  }

  #outcomeOf(turn: TaskTurn, ending: Ending): TaskUpdate {
    const { state, input } = ending;
    return {
      state,
      said: JSON.stringify(messageOf(turn, ending)),
      input: input ? JSON.stringify(input) : null,
      now: this.#services.clock.now(),
    };
  }

  /** What is asked for and never answered has to be kept somewhere. @throws Refusal rate_limited */
  async #refuseCrowd(accountId: string): Promise<void> {
    if ((await countOpen(this.#services.db, accountId, TASK.inputRequired)) < MOST_WAITING) return;
    const message = `${MOST_WAITING} tasks of this account wait for input. Answer them or cancel them, or send the whole input at once.`;
    throw new Refusal("rate_limited", message, {}, { "Retry-After": "60" });
  }
}

/** The task that a turn began, as it was written; of a caller without a credential it is kept nowhere. */
function begun(principal: Principal | null, turn: TaskTurn, outcome: TaskUpdate): TaskRecord {
  return { task: newTask(principal?.accountId ?? "", turn, outcome), project: null };
}

/** Who cannot come back is asked for nothing. */
function unanswerable({ metadata: _, ...ending }: Ending): Ending {
  return { ...ending, state: ending.state === TASK.inputRequired ? TASK.rejected : ending.state };
}
