import { sqliteDatabase } from "../database/database.ts";
import { startPostgres } from "../database/postgres-server.ts";
import { type EventKillReport, eventKills } from "./kills.ts";

/** Does `eventKills` on SQLite and on a PostgreSQL server of its own, one after the other. */
export async function eventKillsOnBoth({
  seed,
  kills,
  say,
}: {
  readonly seed: number;
  readonly kills: number;
  say(line: string): void;
}): Promise<(EventKillReport & { readonly database: string })[]> {
  const file = await sqliteDatabase();
  const server = await startPostgres({ durable: true });
  try {
    const both = [
      ["SQLite", file.url],
      ["PostgreSQL", await server.create("beckon")],
    ] as const;
    const reports = [];
    for (const [database, databaseUrl] of both) {
      say(`kills on ${database}`);
      reports.push({ database, ...(await eventKills({ databaseUrl, seed, kills, say })) });
    }
    return reports;
  } finally {
    await server.stop();
    await file.drop();
  }
}
