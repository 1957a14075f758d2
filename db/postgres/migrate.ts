import pg from "pg";
import { knownMigrations, refuseUnknown } from "../known-migrations.ts";
import { addressOf } from "./address.ts";
import { sqlStateOf } from "./error-codes.ts";

/**
 * Migrates a PostgreSQL database to the newest schema in one transaction. Processes that start at the same time wait for each
 * other at a locked row of `migrations`; some databases with PostgreSQL's protocol have no advisory locks.
 * @throws Error when the encoding is not UTF-8, a newer program has migrated the database, or a version made it that was never
 * released; nothing is changed then
 */
export async function migratePostgres(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: addressOf(url),
    connectionTimeoutMillis: 10_000,
    application_name: "beckon",
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await refuseEncoding(client);
    await client.query("SET lock_timeout = 60000");
    await createTable(client);
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM migrations WHERE hash = 'lock' FOR UPDATE");
    const { rows } = await client.query<{ hash: string }>("SELECT hash FROM migrations WHERE hash <> 'lock'");
    const applied = rows.map(({ hash }) => hash);
    refuseUnknown("pg", applied);
    for (const { hash, sql } of knownMigrations("pg")) {
      if (applied.includes(hash)) continue;
      for (const statement of sql) await client.query(statement);
      await client.query("INSERT INTO migrations (hash, at) VALUES ($1, $2)", [hash, Date.now()]);
    }
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** Requires UTF-8: another encoding would later refuse single pages for a letter that it lacks. */
async function refuseEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; database: string }>(
    "SELECT current_setting('server_encoding') AS encoding, current_database() AS database",
  );
  const { encoding, database } = rows[0]!;
  if (encoding === "UTF8") return;
  throw new Error(
    `The database "${database}" keeps text as ${encoding}, which lacks most letters. Make one that keeps UTF-8: createdb -E UTF8 -T template0 --locale=C NAME`,
  );
}

/** Creates the table of migrations. IF NOT EXISTS is not atomic: one of two concurrent attempts may still fail. */
async function createTable(client: pg.Client): Promise<void> {
  const create = async () => {
    await client.query("CREATE TABLE IF NOT EXISTS migrations (hash text PRIMARY KEY, at bigint NOT NULL)");
    await client.query("INSERT INTO migrations (hash, at) VALUES ('lock', 0) ON CONFLICT DO NOTHING");
  };
  try {
    await create();
  } catch (thrown) {
    // A conflict over the table, its type or a row of the catalog: the other process has committed it by now.
    if (!["23505", "42P07", "42710", "40001"].includes(sqlStateOf(thrown) ?? "")) throw thrown;
    await create();
  }
}
