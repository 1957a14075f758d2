import { sqliteDatabase } from "./database.ts";
import { startPostgres } from "./postgres-server.ts";

/**
 * Runs on SQLite, and then on a PostgreSQL server of its own.
 * @param only the name of one of the two, where the other is left out
 * @returns the reports, with the name of the database
 */
export async function onBothDatabases<T extends object>(
  run: (databaseUrl: string, database: string) => Promise<T>,
  only?: string,
): Promise<(T & { readonly database: string })[]> {
  const file = await sqliteDatabase();
  const server = await startPostgres({ durable: true });
  try {
    const both = [
      ["SQLite", file.url],
      ["PostgreSQL", await server.create("beckon")],
    ] as const;
    const reports = [];
    for (const [database, databaseUrl] of both)
      if (only === undefined || only === database) reports.push({ database, ...(await run(databaseUrl, database)) });
    return reports;
  } finally {
    await server.stop();
    await file.drop();
  }
}
