import { setImmediate as nextIteration } from "node:timers/promises";

/**
 * Spreads pieces of work over iterations of the event loop: each that waits here goes on in an iteration of its own, first
 * come, first served. An iteration costs microseconds, so that pieces of a millisecond are no slower for it.
 */
export class LoopQueue {
  #last: Promise<void> = Promise.resolve();

  wait(): Promise<void> {
    this.#last = this.#last.then(() => nextIteration());
    return this.#last;
  }
}
