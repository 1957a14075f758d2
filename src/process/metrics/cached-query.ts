import { SECOND } from "../../platform/clock.ts";

/** An answer is not asked for more often than this, in ms. */
const LEAST_MS = 30 * SECOND;
/** Asking takes at most this share of the time. */
const SHARE = 1 / 20;
/** How long whoever wants to know waits for a new answer before the old one is good enough, in ms. */
const PATIENCE_MS = 2 * SECOND;
/** Older than this it says nothing any more, in ms. */
const OLDEST_MS = 600 * SECOND;

export interface KeepOptions {
  readonly leastMs?: number;
  readonly patienceMs?: number;
  readonly oldestMs?: number;
}

/**
 * The answer to a costly question, kept for a while: the longer it takes to get, the longer. Asked by nobody, it is not
 * asked for.
 */
export class Kept<T> {
  readonly #ask: () => Promise<T>;
  readonly #options: Required<KeepOptions>;
  #answer: { readonly value: T; readonly at: number } | null = null;
  #nextAt = 0;
  #asking: Promise<void> | null = null;
  #failures = 0;

  constructor(
    ask: () => Promise<T>,
    { leastMs = LEAST_MS, patienceMs = PATIENCE_MS, oldestMs = OLDEST_MS }: KeepOptions = {},
  ) {
    this.#ask = ask;
    this.#options = { leastMs, patienceMs, oldestMs };
  }

  /** How often the question was not answered, since the start. */
  get failures(): number {
    return this.#failures;
  }

  /** @returns the newest answer and its age in ms; null before the first and when it is too old. Never throws. */
  async get(): Promise<{ readonly value: T; readonly ageMs: number } | null> {
    if (performance.now() >= this.#nextAt) this.#asking ??= this.#renew();
    if (this.#asking) await within(this.#asking, this.#options.patienceMs);
    if (!this.#answer) return null;
    const ageMs = performance.now() - this.#answer.at;
    return ageMs > this.#options.oldestMs ? null : { value: this.#answer.value, ageMs };
  }

  async #renew(): Promise<void> {
    const begun = performance.now();
    try {
      this.#answer = { value: await this.#ask(), at: performance.now() };
    } catch {
      this.#failures++;
    }
    const now = performance.now();
    this.#nextAt = now + Math.max(this.#options.leastMs, (now - begun) / SHARE);
    this.#asking = null;
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeUp]);
  clearTimeout(timer);
}
