import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { packageRoot } from "../root.ts";
import { stateOf } from "./codes.ts";

/**
 * Brings a PostgreSQL database to the newest schema, in one transaction. Processes that start at once wait for each
 * other at a row of `migrations`, which every engine of this protocol has, where advisory locks are missing from some.
 */
export async function migratePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: "beckon" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SET lock_timeout = 60000");
    await makeTable(client);
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM migrations WHERE hash = 'lock' FOR UPDATE");
    const { rows } = await client.query<{ hash: string }>("SELECT hash FROM migrations");
    const applied = new Set(rows.map(({ hash }) => hash));
    const migrations = readMigrationFiles({ migrationsFolder: join(packageRoot, "db/migrations/pg") });
    for (const { hash, sql } of migrations) {
      if (applied.has(hash)) continue;
      for (const statement of sql) await client.query(statement);
      await client.query("INSERT INTO migrations (hash, at) VALUES ($1, $2)", [hash, Date.now()]);
    }
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** IF NOT EXISTS looks before it makes: of two at once, one may still be told that the other was first. */
async function makeTable(client: pg.Client): Promise<void> {
  const make = async () => {
    await client.query("CREATE TABLE IF NOT EXISTS migrations (hash text PRIMARY KEY, at bigint NOT NULL)");
    await client.query("INSERT INTO migrations (hash, at) VALUES ('lock', 0) ON CONFLICT DO NOTHING");
  };
  try {
    await make();
  } catch (thrown) {
    // By the table's name, its type's or a row of the catalog: whoever was first has it committed by now.
    if (!["23505", "42P07", "42710", "40001"].includes(stateOf(thrown) ?? "")) throw thrown;
    await make();
  }
}
