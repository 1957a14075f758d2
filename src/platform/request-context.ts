import { AsyncLocalStorage } from "node:async_hooks";

/** What becomes known about a request while it is handled; it goes into the request's log line. */
export interface RequestContext {
  /** Id of the account that calls. */
  account?: string;
  /** Why the database did not answer this request. */
  unavailable?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/**
 * Handles one request. Everything that `addToRequest` adds during it is in `context` afterwards. Use it only for
 * requests that are logged: on Node.js 22 the storage, once used, makes every promise of the process slower.
 */
export function runInRequest(context: RequestContext, handle: () => Promise<void>): Promise<void> {
  return storage.run(context, handle);
}

/** Adds to the context of the current request; does nothing outside of one. */
export function addToRequest(more: RequestContext): void {
  Object.assign(storage.getStore() ?? {}, more);
}
