import { setImmediate as nextIteration } from "node:timers/promises";

/** How long the pieces of work that waited may hold the event loop at a time, in ms. */
const SLICE_MS = 1;

/**
 * Spreads pieces of work over iterations of the event loop, first come, first served. Each goes on when the one before has
 * come to wait for something, and in a later iteration if the time of this one is used up.
 */
export class LoopQueue {
  #last: Promise<void> = Promise.resolve();
  /** When the pieces of this iteration began. */
  #begunAt = 0;

  wait(): Promise<void> {
    this.#last = this.#last.then(() => this.#next());
    return this.#last;
  }

  async #next(): Promise<void> {
    // Ticks come after all promises that are settled: after what the piece before does without waiting.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (performance.now() - this.#begunAt < SLICE_MS) return;
    await nextIteration();
    this.#begunAt = performance.now();
  }
}
