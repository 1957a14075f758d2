import { SECOND } from "./clock.ts";
import type { RunEvery } from "./run-every.ts";

/** How often they are looked at, in ms. */
const INTERVAL = SECOND;

interface PolledSetOptions<T> {
  readonly every: RunEvery;
  /** Looks at all that are there now. The next time waits until it is done. */
  poll(members: readonly T[]): Promise<void>;
  /** Is told of the first of several failures in a row. */
  failed(thrown: unknown): void;
}

/** What streams wait for, looked at once a second for all of them together, and not at all while there are none. */
export class PolledSet<T> {
  readonly #options: PolledSetOptions<T>;
  readonly #members = new Set<T>();
  #stop: (() => void) | null = null;
  #isPolling = false;
  #hasFailed = false;

  constructor(options: PolledSetOptions<T>) {
    this.#options = options;
  }

  get members(): T[] {
    return [...this.#members];
  }

  add(member: T): void {
    this.#members.add(member);
    this.#stop ??= this.#options.every(INTERVAL, () => this.#poll());
  }

  delete(member: T): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    this.#stop?.();
    this.#stop = null;
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await this.#options.poll(this.members);
      this.#hasFailed = false;
    } catch (thrown) {
      if (!this.#hasFailed) this.#options.failed(thrown);
      this.#hasFailed = true;
    } finally {
      this.#isPolling = false;
    }
  }
}
