/** Runs pieces of work one after another. */
export interface Lock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Thrown instead of waiting when the queue of a semaphore is full. */
export class TooManyWaiting extends Error {
  override readonly name = "TooManyWaiting";
}

/**
 * Runs at most `limit` pieces of work at a time in this process; others wait, first come, first served. The work runs in
 * the async context (AsyncLocalStorage) of its own caller, not of the work whose end lets it start.
 */
export class Semaphore implements Lock {
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #running = 0;

  constructor(limit: number, { maxWaiting = Number.POSITIVE_INFINITY } = {}) {
    this.#limit = limit;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * @param options.isUrgent whether it goes ahead of waiting work that is not urgent
   * @throws TooManyWaiting when `maxWaiting` wait already
   */
  async run<T>(work: () => Promise<T>, { isUrgent = false } = {}): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await this.#wait(isUrgent ? this.#urgent : this.#others);
    try {
      return await work();
    } finally {
      // The permit is handed on rather than returned, so that new work cannot overtake work that waits.
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #wait(queue: (() => void)[]): Promise<void> {
    if (this.#urgent.length + this.#others.length >= this.#maxWaiting) throw new TooManyWaiting();
    await new Promise<void>((resolve) => queue.push(resolve));
  }
}

/** Runs one piece of work at a time, first come, first served. */
export class Mutex extends Semaphore {
  constructor() {
    super(1);
  }
}

/** One mutex for each key, kept as long as it is in use: work with the same key runs one after another. */
export class KeyedMutex {
  readonly #mutexes = new Map<string, { readonly mutex: Mutex; users: number }>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#mutexes.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.#mutexes.set(key, entry);
    entry.users += 1;
    try {
      return await entry.mutex.run(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#mutexes.delete(key);
    }
  }
}

/** Opens something when it is first asked for, and then answers with it. What fails to open is tried again by the next caller. */
export function lazily<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((thrown) => {
      opened = undefined;
      throw thrown;
    });
    return opened;
  };
}

/** Runs work once at a time for each key: calls that come while it is running share its outcome. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** The outcome of the work that is running for a key, if there is any. */
  get(key: string): Promise<T> | undefined {
    return this.#running.get(key);
  }

  run(key: string, work: () => Promise<T>): Promise<T> {
    return this.#running.get(key) ?? this.#start(key, work);
  }

  #start(key: string, work: () => Promise<T>): Promise<T> {
    const outcome = work().finally(() => this.#running.delete(key));
    this.#running.set(key, outcome);
    return outcome;
  }
}

/** Does `work` for every item in order, at most `limit` at a time. Rejects with the first that throws. */
export async function eachLimit<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
