import type { RunEvery } from "../../../src/platform/run-every.ts";

/** Timers that run when a test says so. */
export function manualTimers() {
  const works = new Set<() => Promise<void>>();
  const periods: number[] = [];
  const every: RunEvery = (ms, work) => {
    periods.push(ms);
    works.add(work);
    return () => void works.delete(work);
  };
  return {
    every,
    /** The periods of all timers that were started, in ms. */
    periods,
    /** How many timers have been started and not stopped. */
    get running(): number {
      return works.size;
    },
    /** Runs all of them once. */
    async fire(): Promise<void> {
      for (const work of [...works]) await work();
    },
  };
}
