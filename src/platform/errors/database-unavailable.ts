/**
 * The database does not answer now: it is away, full, out of connections or far too slow. Whatever was asked for did not
 * happen, unless the connection was lost in the middle of a commit (`mayHaveHappened`). Trying again later is right.
 */
export class DatabaseUnavailable extends Error {
  readonly mayHaveHappened: boolean;

  constructor(message: string, cause: unknown, mayHaveHappened = false) {
    super(message, { cause });
    this.name = "DatabaseUnavailable";
    this.mayHaveHappened = mayHaveHappened;
  }
}

/** Is, or was caused by, a database that does not answer. */
export function isUnavailable(thrown: unknown): boolean {
  return unavailableIn(thrown) !== null;
}

/** The database's own word in whatever was thrown, or null: drizzle wraps what a driver throws. */
export function unavailableIn(thrown: unknown): DatabaseUnavailable | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof DatabaseUnavailable) return error;
  }
  return null;
}
