import { SECOND } from "../../platform/clock.ts";

/** Minimum time between two runs of the query, in ms. */
const MIN_INTERVAL_MS = 30 * SECOND;
/** Largest share of the time for which the query may run. */
const MAX_DUTY = 1 / 20;
/** How long a caller waits for a new result before the old one is returned, in ms. */
const WAIT_MS = 2 * SECOND;
/** Age from which a result is not returned any more, in ms. */
const MAX_AGE_MS = 600 * SECOND;

export interface CachedQueryOptions {
  readonly minIntervalMs?: number;
  readonly waitMs?: number;
  readonly maxAgeMs?: number;
}

/**
 * Caches the result of an expensive query. The longer the query takes, the longer its result is kept. The query runs
 * only when a caller asks.
 */
export class CachedQuery<T> {
  readonly #query: () => Promise<T>;
  readonly #options: Required<CachedQueryOptions>;
  #result: { readonly value: T; readonly at: number } | null = null;
  #nextAt = 0;
  #running: Promise<void> | null = null;
  #failures = 0;

  constructor(
    query: () => Promise<T>,
    { minIntervalMs = MIN_INTERVAL_MS, waitMs = WAIT_MS, maxAgeMs = MAX_AGE_MS }: CachedQueryOptions = {},
  ) {
    this.#query = query;
    this.#options = { minIntervalMs, waitMs, maxAgeMs };
  }

  /** How often the query has failed since the start. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Never throws. @returns the newest result and its age in ms; null before the first result, and when it is too old
   */
  async get(): Promise<{ readonly value: T; readonly ageMs: number } | null> {
    if (performance.now() >= this.#nextAt) this.#running ??= this.#refresh();
    if (this.#running) await within(this.#running, this.#options.waitMs);
    if (!this.#result) return null;
    const ageMs = performance.now() - this.#result.at;
    return ageMs > this.#options.maxAgeMs ? null : { value: this.#result.value, ageMs };
  }

  async #refresh(): Promise<void> {
    const startedAt = performance.now();
    try {
      this.#result = { value: await this.#query(), at: performance.now() };
    } catch {
      this.#failures++;
    }
    const now = performance.now();
    this.#nextAt = now + Math.max(this.#options.minIntervalMs, (now - startedAt) / MAX_DUTY);
    this.#running = null;
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
