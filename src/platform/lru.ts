import type { Clock } from "./clock.ts";

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  /** Real ms. */
  readonly expiresAt: number;
  /** Whether it was used since the cache last considered dropping it. */
  isUsed: boolean;
}

interface Limits {
  readonly entries: number;
  /** Sum of the weights of all entries and of the lengths of their keys. */
  readonly weight: number;
}

/**
 * A cache of bounded size that drops entries which were not used lately. Entries expire in real time. Use only marks
 * an entry. When room is needed, a marked entry gets a second chance, which costs less than an exact order.
 */
export class Lru<V> {
  readonly #clock: Clock;
  readonly #limits: Limits;
  /** The entries in the order in which they are considered for dropping. */
  readonly #entries = new Map<string, Entry<V>>();
  #weight = 0;

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt <= this.#clock.now()) {
      this.#remove(key);
      return undefined;
    }
    entry.isUsed = true;
    return entry.value;
  }

  set(key: string, value: V, ttlMs: number, weight = 0): void {
    this.#remove(key);
    const entry = { value, weight: weight + key.length, expiresAt: this.#clock.now() + ttlMs, isUsed: false };
    if (entry.weight > this.#limits.weight) return;
    this.#add(key, entry);
    for (const [oldest, { isUsed }] of this.#entries) {
      if (this.#entries.size <= this.#limits.entries && this.#weight <= this.#limits.weight) break;
      this.#drop(oldest, isUsed || oldest === key);
    }
  }

  /** Removes an entry, or gives it a second chance. */
  #drop(key: string, isUsed: boolean): void {
    const entry = this.#entries.get(key)!;
    this.#remove(key);
    if (isUsed) this.#add(key, { ...entry, isUsed: false });
  }

  #add(key: string, entry: Entry<V>): void {
    this.#entries.set(key, entry);
    this.#weight += entry.weight;
  }

  #remove(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
