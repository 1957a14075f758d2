import type { Clock } from "./clock.ts";

interface Kept<V> {
  readonly value: V;
  readonly weight: number;
  /** Real ms. */
  readonly until: number;
}

/** A memory of bounded size that lets go of what was used longest ago. Ages in real ms. */
export class Lru<V> {
  readonly #clock: Clock;
  readonly #most: { readonly entries: number; readonly weight: number };
  /** Oldest use first. */
  readonly #kept = new Map<string, Kept<V>>();
  #weight = 0;

  /** @param most the key's characters are added to the weight that an entry is given */
  constructor(clock: Clock, most: { entries: number; weight: number }) {
    this.#clock = clock;
    this.#most = most;
  }

  get(key: string): V | undefined {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#remove(key);
    if (found.until <= this.#clock.now()) return undefined;
    this.#add(key, found);
    return found.value;
  }

  set(key: string, value: V, ageMs: number, weight = 0): void {
    this.#remove(key);
    this.#add(key, { value, weight: weight + key.length, until: this.#clock.now() + ageMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most.entries && this.#weight <= this.#most.weight) break;
      this.#remove(oldest);
    }
  }

  #add(key: string, kept: Kept<V>): void {
    this.#kept.set(key, kept);
    this.#weight += kept.weight;
  }

  #remove(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
