import { Refusal } from "../../platform/errors/errors.ts";

/** Lets a few pieces of work run at once in this process, and a bounded number wait, first come, first served. */
export class Semaphore {
  readonly #most: { readonly atOnce: number; readonly waiting: number };
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: { atOnce: number; waiting: number }) {
    this.#most = most;
  }

  /** @throws Refusal unavailable, with Retry-After, when too many wait already */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most.atOnce) this.#running += 1;
    else if (this.#waiting.length < this.#most.waiting) await new Promise<void>((go) => this.#waiting.push(go));
    else throw busy();
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who has just come takes it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

function busy(): Refusal {
  return new Refusal("unavailable", "Too many sign-ins right now. Try again in 5 s.", {}, RETRY);
}

const RETRY = { "Retry-After": "5" };
