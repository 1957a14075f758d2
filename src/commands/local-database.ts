import { existsSync } from "node:fs";
import { isPostgres, sqlitePath } from "../../db/open.ts";
import type { Config } from "../platform/config/config.ts";
import { UsageError } from "./command.ts";

/**
 * Refuses to work on a local database that does not exist: an empty one would be made, in which the key of the caller is
 * unknown.
 * @throws UsageError
 */
export function requireLocalDatabase({ databaseUrl }: Config): void {
  if (isPostgres(databaseUrl) || existsSync(sqlitePath(databaseUrl))) return;
  throw new UsageError(
    `set BECKON_URL to the address of the Beckon to work with. Without it DATABASE_URL has to name the database of one on this machine, and there is none at ${sqlitePath(databaseUrl)}.`,
  );
}
