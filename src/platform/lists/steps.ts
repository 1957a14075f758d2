/** Work that is done in steps, each of a few milliseconds, so that others need not wait for its end. */
export type Steps<T> = Generator<void, T>;

/** When somebody else should be let in between two steps. */
export interface Pauses {
  isOver(): boolean;
  next(): Promise<void>;
}

/** Does the work at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the work with pauses. */
export async function withPauses<T>(steps: Steps<T>, pauses: Pauses): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pauses.isOver()) await pauses.next();
  }
}
