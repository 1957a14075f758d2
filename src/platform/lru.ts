import type { Clock } from "./clock.ts";

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  /** Real ms. */
  readonly expiresAt: number;
}

interface Limits {
  readonly entries: number;
  /** Sum of the weights of all entries and of the lengths of their keys. */
  readonly weight: number;
}

/** A cache of bounded size that drops the least recently used entries first. Entries expire in real time. */
export class Lru<V> {
  readonly #clock: Clock;
  readonly #limits: Limits;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry<V>>();
  #weight = 0;

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#remove(key);
    if (entry.expiresAt <= this.#clock.now()) return undefined;
    this.#add(key, entry);
    return entry.value;
  }

  set(key: string, value: V, ttlMs: number, weight = 0): void {
    this.#remove(key);
    this.#add(key, { value, weight: weight + key.length, expiresAt: this.#clock.now() + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#weight <= this.#limits.weight) break;
      this.#remove(oldest);
    }
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
