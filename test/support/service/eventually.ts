import { vi } from "vitest";

/**
 * Repeats assertions until they hold. They may take half a minute: one that will never hold fails a little later, one that
 * waits for its turn on a busy machine does not fail.
 */
export function eventually<T>(assertions: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertions, { timeout: 30_000, interval: 5 });
}
