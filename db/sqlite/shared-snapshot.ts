import type Database from "better-sqlite3";

/**
 * The transaction in which a connection reads, shared by all that reads in one turn of the event loop: taking the lock for reading
 * and giving it back takes several times as long as a small query.
 *
 * A request that is read in this turn had reached this machine before the turn began to read. What another process commits during
 * the turn is committed while that request is under way, and may as well come after it. This process ends the snapshot before each
 * commit of its own: what reads afterwards sees it, and the write-ahead log can begin anew, which it cannot while somebody reads.
 */
export class SharedSnapshot {
  readonly #connection: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  /** Whether it ends after this turn. */
  #isEnding = false;

  constructor(connection: Database.Database) {
    this.#connection = connection;
    this.#begin = connection.prepare("BEGIN");
    this.#commit = connection.prepare("COMMIT");
  }

  /** The next query begins it, if it has not begun. */
  begin(): void {
    if (this.#connection.inTransaction) return;
    this.#begin.run();
    if (this.#isEnding) return;
    this.#isEnding = true;
    setImmediate(() => {
      this.#isEnding = false;
      this.end();
    });
  }

  /** What reads next sees all that is committed. */
  end(): void {
    // SQLite ends it by itself after some errors.
    if (this.#connection.inTransaction) this.#commit.run();
  }
}
