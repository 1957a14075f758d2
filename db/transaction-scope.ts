import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Whose transactions the running code is inside of. One for all engines of a process: on Node.js 20 every further
 * AsyncLocalStorage makes every promise dearer, for good.
 */
const around = new AsyncLocalStorage<readonly Inside[]>();

/** Knows of one engine whether the running code is inside of a transaction of it. */
export class Inside {
  /** Does the work of a transaction. */
  run<T>(work: () => T): T {
    return around.run([...(around.getStore() ?? []), this], work);
  }

  is(): boolean {
    return around.getStore()?.includes(this) ?? false;
  }
}
