import pg from "pg";
import { knownMigrations, refuseNewer } from "../known-migrations.ts";
import { addressOf } from "./address.ts";
import { sqlStateOf } from "./error-codes.ts";

/**
 * Brings a PostgreSQL database to the newest schema, in one transaction. Processes that start at once wait for each
 * other at a row of `migrations`, which every engine of this protocol has, where advisory locks are missing from some.
 * @throws Error when the database cannot hold every text, or is a newer program's; before anything is changed
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
    await makeTable(client);
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM migrations WHERE hash = 'lock' FOR UPDATE");
    const { rows } = await client.query<{ hash: string }>("SELECT hash FROM migrations WHERE hash <> 'lock'");
    const applied = rows.map(({ hash }) => hash);
    refuseNewer("pg", applied);
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

/** In any other encoding a page with a letter that it lacks would be refused long after, one by one. */
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
    if (!["23505", "42P07", "42710", "40001"].includes(sqlStateOf(thrown) ?? "")) throw thrown;
    await make();
  }
}
