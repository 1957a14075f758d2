import type { WriterLock } from "./engine.ts";

/** First come, first served. */
export class Mutex implements WriterLock {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}
