import { closeSync, openSync, readSync } from "node:fs";

/** Turns that take less, in ms, are left out: while it waits, most take nothing. */
const LEAST = 1;

/**
 * Measures the turns of the event loop in CPU time of this thread, so that what other programs do on the machine, and waiting
 * for the disk, is not in it. Linux only; elsewhere in wall time.
 */
export class EventLoopTurns {
  readonly #now = threadTime();
  readonly #taken: number[] = [];
  #isStopped = false;

  constructor() {
    let from = this.#now.ms();
    const turn = () => {
      if (this.#isStopped) return this.#now.close();
      const to = this.#now.ms();
      if (to - from >= LEAST) this.#taken.push(to - from);
      from = to;
      setImmediate(turn);
    };
    setImmediate(turn);
  }

  /** @returns ms, of the turns that took 1 ms or more: the longest but one in a hundred, and the longest */
  stop(): { readonly p99: number; readonly most: number } {
    this.#isStopped = true;
    const sorted = this.#taken.sort((a, b) => a - b);
    return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, most: sorted.at(-1) ?? 0 };
  }
}

/** CPU time of this thread, in ms (proc(5), schedstat: the first number, in ns). */
function threadTime(): { ms(): number; close(): void } {
  try {
    const file = openSync("/proc/thread-self/schedstat", "r");
    const bytes = Buffer.alloc(64);
    const ms = () => Number(bytes.toString("latin1", 0, readSync(file, bytes, 0, 64, 0)).split(" ", 1)[0]) / 1e6;
    return { ms, close: () => closeSync(file) };
  } catch {
    return { ms: () => performance.now(), close: () => undefined };
  }
}
