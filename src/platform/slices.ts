import { setImmediate as nextTurn } from "node:timers/promises";

/** How long one slice of long work may hold the event loop, in ms. */
const SLICE_MS = 2;

/** Divides long work on this thread into slices of 2 ms, between which the event loop turns. */
export class Slices {
  #begunAt = performance.now();

  /** Whether it is time for `next`. The answer takes longer than a small piece of work: ask after a hundred of them. */
  isOver(): boolean {
    return performance.now() - this.#begunAt >= SLICE_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#begunAt = performance.now();
  }
}
