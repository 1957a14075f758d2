import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import { progressKey } from "./present.ts";

/** Who subscribes to a task, and for how long. */
export interface SubscriberOptions {
  readonly accountId: string;
  /** Aborted when the reader has gone. */
  readonly signal: AbortSignal;
  /** Polls after which the subscription ends; absent: no limit. */
  readonly maxPolls?: number;
}

/**
 * One reader of a task. It keeps only the latest state, so that a slow reader needs no more memory than a quick one.
 */
export class Subscriber {
  readonly taskId: string;
  readonly options: SubscriberOptions;
  #seen: string;
  #latest: TaskRecord | null = null;
  #pollsLeft: number;
  #isEnded = false;
  #wake: () => void = () => undefined;
  readonly #close: () => void;

  /** @param known the state that the reader has been sent already */
  constructor(known: TaskRecord, options: SubscriberOptions, close: (subscriber: Subscriber) => void) {
    this.taskId = known.task.id;
    this.options = options;
    this.#seen = progressKey(known);
    this.#pollsLeft = options.maxPolls ?? Number.POSITIVE_INFINITY;
    this.#close = () => close(this);
    options.signal.addEventListener("abort", this.end, { once: true });
    if (options.signal.aborted) this.end();
  }

  /** Takes the state of the task that a poll has read. */
  update(record: TaskRecord): void {
    const key = progressKey(record);
    if (key !== this.#seen) {
      this.#seen = key;
      this.#latest = record;
      this.#wake();
    }
    this.#pollsLeft -= 1;
    if (this.#pollsLeft <= 0) this.end();
  }

  /** Waits until the task has changed. @returns null once there is nothing more to wait for */
  async next(): Promise<TaskRecord | null> {
    while (!this.#latest && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const record = this.options.signal.aborted ? null : this.#latest;
    this.#latest = null;
    if (record && isTerminal(record.task.state)) this.end();
    return record;
  }

  /** Takes no more updates; the latest one can still be read. */
  readonly end = (): void => {
    this.#isEnded = true;
    this.options.signal.removeEventListener("abort", this.end);
    this.#close();
    this.#wake();
  };
}
