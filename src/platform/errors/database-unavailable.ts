/**
 * The database cannot be used now: it is unreachable, full, out of connections or far too slow. The operation did not
 * happen, unless the connection was lost in the middle of a commit (`mayHaveHappened`). A later attempt may work.
 */
export class DatabaseUnavailable extends Error {
  readonly mayHaveHappened: boolean;

  constructor(message: string, cause: unknown, mayHaveHappened = false) {
    super(message, { cause });
    this.name = "DatabaseUnavailable";
    this.mayHaveHappened = mayHaveHappened;
  }
}

/** Whether the error is, or was caused by, a DatabaseUnavailable. */
export function isUnavailable(thrown: unknown): boolean {
  return unavailableIn(thrown) !== null;
}

/** The DatabaseUnavailable among a thrown error and its causes, or null; drizzle wraps what a driver throws. */
export function unavailableIn(thrown: unknown): DatabaseUnavailable | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof DatabaseUnavailable) return error;
  }
  return null;
}
