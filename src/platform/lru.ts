import type { Clock } from "./clock.ts";

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  /** Real ms. */
  readonly expiresAt: number;
  /** Since it was looked at last for being dropped. */
  isUsed: boolean;
}

interface Limits {
  readonly entries: number;
  /** Sum of the weights of all entries and of the lengths of their keys. */
  readonly weight: number;
}

/**
 * A cache of bounded size that drops entries which were not used lately. Entries expire in real time. To be used only marks an
 * entry; when room is needed, the oldest ones that are marked get a second chance, which costs less than an exact order.
 */
export class Lru<V> {
  readonly #clock: Clock;
  readonly #limits: Limits;
  /** The next to be looked at first. */
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
