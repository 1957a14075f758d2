import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The scopes that the running code is in. All engines of a process share one storage, because on Node.js 20 every further
 * AsyncLocalStorage makes every promise slower.
 */
const active = new AsyncLocalStorage<readonly TransactionScope[]>();

/** Tells whether the running code is inside a transaction of one engine. */
export class TransactionScope {
  /** Runs the work of a transaction inside this scope. */
  run<T>(work: () => T): T {
    return active.run([...(active.getStore() ?? []), this], work);
  }

  isActive(): boolean {
    return active.getStore()?.includes(this) ?? false;
  }
}
