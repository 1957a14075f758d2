import { SECOND } from "../../platform/clock.ts";

/** Minimum time between two runs of the query, in ms. */
const MIN_INTERVAL_MS = 30 * SECOND;
/** The query runs for at most this share of the time. */
const MAX_DUTY = 1 / 20;
/** How long a caller waits for a new result before it gets the old one, in ms. */
const WAIT_MS = 2 * SECOND;
/** A result older than this is not returned, in ms. */
const MAX_AGE_MS = 600 * SECOND;

export interface CachedQueryOptions {
  readonly minIntervalMs?: number;
  readonly waitMs?: number;
  readonly maxAgeMs?: number;
}

/**
 * Caches the result of an expensive query: the longer the query takes, the longer its result is kept. It runs only on
 * demand.
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

  /** How often the query has failed, since the start. */
  get failures(): number {
    return this.#failures;
  }

  /** @returns the newest result and its age in ms; null before the first one and when it is too old. Never throws. */
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
