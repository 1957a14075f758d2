import type Database from "better-sqlite3";
import { asUnavailable } from "./error-codes.ts";

/** Most statements that are cached. There are fewer query texts, except those that list their values. */
const MAX_STATEMENTS = 300;

/**
 * Makes the connection cache its most recently used prepared statements by their text: drizzle prepares one for every query.
 */
export function cacheStatements(connection: Database.Database): Database.Database {
  const prepare = preparing(connection);
  const cache = new Map<string, Database.Statement>();
  const prepareOnce = (text: string): Database.Statement => {
    const known = cache.get(text);
    const statement = known ?? prepare(text);
    cache.delete(text);
    cache.set(text, statement);
    if (cache.size > MAX_STATEMENTS) cache.delete(cache.keys().next().value!);
    // `raw` is a state of the statement, so it is reset for the next user.
    return known?.reader ? known.raw(false) : statement;
  };
  connection.prepare = prepareOnce as typeof connection.prepare;
  return connection;
}

/** Prepares statements of a connection that throw DatabaseUnavailable for a file that cannot be used now; none is cached. */
export function preparing(connection: Database.Database): (text: string) => Database.Statement {
  const prepare = connection.prepare.bind(connection);
  return (text) => withUnavailable(prepare(text));
}

/** The same statement, which throws DatabaseUnavailable for a file that cannot be used now. */
function withUnavailable(statement: Database.Statement): Database.Statement {
  for (const name of ["run", "get", "all"] as const) {
    const execute = statement[name].bind(statement) as (...values: unknown[]) => never;
    statement[name] = (...values: unknown[]) => {
      try {
        return execute(...values);
      } catch (thrown) {
        throw asUnavailable(thrown) ?? thrown;
      }
    };
  }
  return statement;
}
