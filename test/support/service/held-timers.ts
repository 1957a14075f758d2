import { setImmediate } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** Timers that end when the test says so, not when their time has passed. */
export interface HeldTimers {
  /** Number of waiting timers of this length. */
  waiting(ms: number): number;
  /** Ends all waiting timers of this length. */
  end(ms: number): void;
}

/** Holds every timer of these lengths, in ms, until the test has ended. Other timers are not affected. */
export function holdTimers(...lengths: readonly number[]): HeldTimers {
  const held = new Map<unknown, { readonly ms: number; readonly end: () => void }>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const setting = vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, ms = 0, ...args: []) => {
    if (!lengths.includes(ms)) return set(end, ms, ...args);
    // The caller gets the handle of a real timer that does nothing and does not keep the process alive.
    const handle = set(() => {}, 2 ** 31 - 1).unref();
    held.set(handle, { ms, end });
    return handle;
  }) as typeof setTimeout);
  const clearing = vi.spyOn(globalThis, "clearTimeout").mockImplementation((handle) => {
    held.delete(handle);
    clear(handle);
  });
  onTestFinished(() => {
    setting.mockRestore();
    clearing.mockRestore();
    for (const handle of held.keys()) clear(handle as NodeJS.Timeout);
  });
  const ofLength = (ms: number) => [...held].filter(([, timer]) => timer.ms === ms);
  return {
    waiting: (ms) => ofLength(ms).length,
    end(ms) {
      for (const [handle, timer] of ofLength(ms)) {
        held.delete(handle);
        clear(handle as NodeJS.Timeout);
        timer.end();
      }
    },
  };
}

/** Waits until a condition holds, at most until the timeout of the test. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}
