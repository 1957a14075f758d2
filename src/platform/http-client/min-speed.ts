import type { HttpLimits } from "./limits.ts";

/**
 * Ends a body that comes too slowly. Only the time spent waiting for bytes counts: what the reader does between two
 * chunks is no fault of the server's.
 */
export class SpeedWatch {
  readonly #limits: HttpLimits;
  readonly #tooSlow: () => void;
  #windows = 0;
  /** Of this window: ms waited, and bytes that came. */
  #waited = 0;
  #bytes = 0;
  #from = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: HttpLimits, tooSlow: () => void) {
    this.#limits = limits;
    this.#tooSlow = tooSlow;
  }

  wait(): void {
    this.#from = performance.now();
    this.#timer = setTimeout(() => this.#windowEnded(), Math.max(0, this.#limits.windowMs - this.#waited));
  }

  came(bytes: number): void {
    clearTimeout(this.#timer);
    this.#waited += performance.now() - this.#from;
    this.#bytes += bytes;
  }

  #windowEnded(): void {
    if (this.#windows > 0 && this.#bytes < this.#limits.windowBytes) this.#tooSlow();
    else {
      this.#windows += 1;
      this.#waited = 0;
      this.#bytes = 0;
      this.wait();
    }
  }
}
