import type Database from "better-sqlite3";
import { asUnavailable } from "./error-codes.ts";

/** Texts of queries are few; those that list their values are not, and leave again. */
const MOST = 300;

/**
 * Makes the connection keep its prepared statements by their text, the most lately used ones: drizzle prepares anew for
 * every query, which takes as long as most of them.
 */
export function cacheStatements(connection: Database.Database): Database.Database {
  const prepare = connection.prepare.bind(connection);
  const kept = new Map<string, Database.Statement>();
  const prepareOnce = (text: string): Database.Statement => {
    const known = kept.get(text);
    const statement = known ?? telling(prepare(text));
    kept.delete(text);
    kept.set(text, statement);
    if (kept.size > MOST) kept.delete(kept.keys().next().value!);
    // Whether rows are arrays is a state of the statement, which every user sets for itself from the start.
    return known?.reader ? known.raw(false) : statement;
  };
  connection.prepare = prepareOnce as typeof connection.prepare;
  return connection;
}

/** The same statement; a file that cannot be worked with now is a `DatabaseUnavailable`. */
function telling(statement: Database.Statement): Database.Statement {
  for (const name of ["run", "get", "all"] as const) {
    const ask = statement[name].bind(statement) as (...values: unknown[]) => never;
    statement[name] = (...values: unknown[]) => {
      try {
        return ask(...values);
      } catch (thrown) {
        throw asUnavailable(thrown) ?? thrown;
      }
    };
  }
  return statement;
}
