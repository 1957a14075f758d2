import { AsyncLocalStorage } from "node:async_hooks";

/** The scopes that the running code is in. All engines of a process share one storage. */
const active = new AsyncLocalStorage<readonly TransactionScope[]>();

/** Scopes of this process that have not ended. */
let open = 0;

/**
 * Tells whether the running code is inside a transaction of one engine. The storage is disabled while there is no transaction,
 * because on Node.js 22 an AsyncLocalStorage in use makes every promise of the process slower.
 */
export class TransactionScope {
  /** Runs the work of a transaction inside this scope. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    open++;
    try {
      return await active.run([...(active.getStore() ?? []), this], work);
    } finally {
      if (--open === 0) active.disable();
    }
  }

  isActive(): boolean {
    return open > 0 && (active.getStore()?.includes(this) ?? false);
  }
}
