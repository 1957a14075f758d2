import type { HttpLimits } from "./limits.ts";

/**
 * Enforces the minimum speed of a body: calls back when too few bytes arrive within a window. Only the time spent
 * waiting for bytes counts, not the time that the reader takes between two chunks.
 */
export class MinSpeed {
  readonly #limits: HttpLimits;
  readonly #onTooSlow: () => void;
  #windows = 0;
  /** In this window: ms waited, and bytes received. */
  #waited = 0;
  #bytes = 0;
  #from = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: HttpLimits, onTooSlow: () => void) {
    this.#limits = limits;
    this.#onTooSlow = onTooSlow;
  }

  /** Starts counting: the reader waits for the next chunk. */
  wait(): void {
    this.#from = performance.now();
    this.#timer = setTimeout(() => this.#windowEnded(), Math.max(0, this.#limits.windowMs - this.#waited));
  }

  /** Stops counting: the next chunk has arrived, or the body is over (0). */
  received(bytes: number): void {
    clearTimeout(this.#timer);
    this.#waited += performance.now() - this.#from;
    this.#bytes += bytes;
  }

  #windowEnded(): void {
    if (this.#windows > 0 && this.#bytes < this.#limits.windowBytes) this.#onTooSlow();
    else {
      this.#windows += 1;
      this.#waited = 0;
      this.#bytes = 0;
      this.wait();
    }
  }
}
