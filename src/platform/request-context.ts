import { AsyncLocalStorage } from "node:async_hooks";

/** What becomes known of a request while it is worked on, for the line about it. */
export interface Known {
  /** Whose it is. */
  account?: string;
  /** Why the database did not answer it. */
  unavailable?: string;
}

const request = new AsyncLocalStorage<Known>();

/** Does the work of one request; what it notes is in `known`. */
export function inRequest(known: Known, work: () => Promise<void>): Promise<void> {
  return request.run(known, work);
}

/** Outside of a request nobody hears. */
export function note(what: Known): void {
  Object.assign(request.getStore() ?? {}, what);
}
