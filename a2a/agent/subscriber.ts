import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import { standingOf } from "./present.ts";

/** Who follows a task, and for how long. */
export interface Follower {
  readonly accountId: string;
  /** Aborted when nobody reads any more. */
  readonly signal: AbortSignal;
  /** Whether its credential is still good. */
  readonly isKnown: () => Promise<boolean>;
  /** Looks after which it gives up; absent: never. */
  readonly patience?: number;
}

/** One reader's place at a task. It holds the latest state alone, so that a slow reader costs no more than a quick one. */
export class Slot {
  readonly taskId: string;
  readonly follower: Follower;
  #told: string;
  #latest: TaskRecord | null = null;
  #left: number;
  #isEnded = false;
  #wake: () => void = () => undefined;
  readonly #close: () => void;

  /** @param known what its reader has been shown already */
  constructor(known: TaskRecord, follower: Follower, close: (slot: Slot) => void) {
    this.taskId = known.task.id;
    this.follower = follower;
    this.#told = standingOf(known);
    this.#left = follower.patience ?? Number.POSITIVE_INFINITY;
    this.#close = () => close(this);
    follower.signal.addEventListener("abort", this.end, { once: true });
    if (follower.signal.aborted) this.end();
  }

  /** What the task is now, as seen at one look. */
  tell(record: TaskRecord): void {
    const standing = standingOf(record);
    if (standing !== this.#told) {
      this.#told = standing;
      this.#latest = record;
      this.#wake();
    }
    this.#left -= 1;
    if (this.#left <= 0) this.end();
  }

  /** Waits until the task has changed. @returns null once there is nothing more to wait for */
  async next(): Promise<TaskRecord | null> {
    while (!this.#latest && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const record = this.follower.signal.aborted ? null : this.#latest;
    this.#latest = null;
    if (record && isTerminal(record.task.state)) this.end();
    return record;
  }

  /** No more changes will be told; the latest may still be read. */
  readonly end = (): void => {
    this.#isEnded = true;
    this.follower.signal.removeEventListener("abort", this.end);
    this.#close();
    this.#wake();
  };
}
