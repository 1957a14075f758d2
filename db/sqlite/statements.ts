import type Database from "better-sqlite3";

/** Texts of queries are few; those that list their values are not, and leave again. */
const MOST = 300;

/**
 * Makes the connection keep its prepared statements by their text, the most lately used ones: drizzle prepares anew for
 * every query, which takes as long as most of them.
 */
export function keepStatements(connection: Database.Database): Database.Database {
  const prepare = connection.prepare.bind(connection);
  const kept = new Map<string, Database.Statement>();
  const prepareOnce = (text: string): Database.Statement => {
    const known = kept.get(text);
    const statement = known ?? prepare(text);
    kept.delete(text);
    kept.set(text, statement);
    if (kept.size > MOST) kept.delete(kept.keys().next().value!);
    // Whether rows are arrays is a state of the statement, which every user sets for itself from the start.
    return known?.reader ? known.raw(false) : statement;
  };
  connection.prepare = prepareOnce as typeof connection.prepare;
  return connection;
}
