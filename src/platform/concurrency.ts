/** Runs pieces of work one after another. */
export interface Lock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Thrown in place of waiting, where as many wait for a semaphore as may. */
export class TooManyWaiting extends Error {
  override readonly name = "TooManyWaiting";
}

/**
 * Runs at most `limit` pieces of work at a time in this process; others wait, first come, first served. The work runs in
 * the async context of its own caller (AsyncLocalStorage), whoever lets it in.
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
   * @param options.isUrgent whether it goes before all that waits and is not urgent
   * @throws TooManyWaiting when `maxWaiting` wait already
   */
  async run<T>(work: () => Promise<T>, { isUrgent = false } = {}): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await this.#wait(isUrgent ? this.#urgent : this.#others);
    try {
      return await work();
    } finally {
      // The permit is handed on rather than returned, so that a newcomer cannot overtake those who wait.
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

/** Shares work among those who ask for the same key while it is under way: it is done once, and all get its outcome. */
export class SingleFlight<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** The work under way for a key, if there is any. */
  get(key: string): Promise<T> | undefined {
    return this.#underWay.get(key);
  }

  run(key: string, work: () => Promise<T>): Promise<T> {
    return this.#underWay.get(key) ?? this.#begin(key, work);
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
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
