import { setImmediate } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** Timers that do not wait for the time to pass, but for the test. */
export interface HeldTimers {
  /** How many of this length are waiting. */
  waiting(ms: number): number;
  /** Ends all of this length that are waiting now. */
  end(ms: number): void;
}

/** Holds every timer of these lengths, in ms, until the test has ended. Other timers run as they do. */
export function holdTimers(...lengths: readonly number[]): HeldTimers {
  const held = new Map<unknown, { readonly ms: number; readonly end: () => void }>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const setting = vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, ms = 0, ...args: []) => {
    if (!lengths.includes(ms)) return set(end, ms, ...args);
    // The caller gets a true handle, of a timer that does nothing and keeps nobody up.
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

/** Waits for something that other code brings about. The limit of the test is the only one. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}
