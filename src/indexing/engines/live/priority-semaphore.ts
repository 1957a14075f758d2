/**
 * Lets so many through at a time, in the whole process: steps in hand share what a provider bears. Those who pay for
 * being quick go first.
 */
export class Turnstile {
  readonly #places: number;
  #inside = 0;
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];

  constructor(places: number) {
    this.#places = places;
  }

  async pass<T>(isUrgent: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#inside < this.#places) this.#inside += 1;
    // Whoever leaves hands the place on.
    else await new Promise<void>((resolve) => (isUrgent ? this.#urgent : this.#others).push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }
}
