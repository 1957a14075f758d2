import { vi } from "vitest";

/**
 * Repeats assertions until they hold. They may take half a minute: one that will never hold fails a little later, one that
 * waits for its turn on a busy machine does not fail.
 */
export function eventually<T>(assertions: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertions, { timeout: 30_000, interval: 5 });
}

/**
 * The same for assertions that call a service with a credential, each time once: half a minute of them has to stay within the
 * 120 calls of a minute, or the calls after it are refused.
 */
export function eventuallyServed<T>(assertions: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertions, { timeout: 30_000, interval: 500 });
}
