import pg from "pg";
import { version } from "../../src/platform/version.ts";
import {
  type AppliedMigration,
  knownMigrations,
  refuseUnknown,
  requireNewest,
  type SchemaState,
  schemaState,
  stepOf,
} from "../known-migrations.ts";
import { addressOf } from "./address.ts";
import { sqlStateOf } from "./error-codes.ts";

/**
 * Migrates a PostgreSQL database to the newest schema in one transaction. Processes that start at the same time wait for each
 * other at a locked row of `migrations`; some databases with PostgreSQL's protocol have no advisory locks.
 * @param onStep called with a sentence about each thing that was done
 * @throws Error when the encoding is not UTF-8, a newer program has migrated the database, or a version made it that was never
 * released; nothing is changed then
 */
export async function migratePostgres(url: string, onStep: (step: string) => void = () => undefined): Promise<void> {
  await withClient(url, async (client) => {
    await refuseEncoding(client);
    refuseUnknown(await stateOf(client));
    await client.query("SET lock_timeout = 60000");
    await createTable(client);
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM migrations WHERE hash = 'lock' FOR UPDATE");
    const { rows: applied } = await client.query<AppliedMigration>(APPLIED);
    refuseUnknown(schemaState("pg", applied));
    const steps: string[] = [];
    const known = knownMigrations("pg");
    for (const [at, { hash, sql }] of known.entries()) {
      if (applied.some((one) => one.hash === hash)) continue;
      const startedAt = performance.now();
      for (const statement of sql) await client.query(statement);
      await client.query("INSERT INTO migrations (hash, at, version) VALUES ($1, $2, $3)", [hash, Date.now(), version]);
      steps.push(stepOf(at, known.length, startedAt));
    }
    await client.query("COMMIT");
    steps.forEach(onStep);
  });
}

/** @throws Error unless the database has the newest schema; nothing is changed */
export async function requireNewestPostgres(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await refuseEncoding(client);
    requireNewest(await stateOf(client), `The database "${client.database}"`);
  });
}

/** The migrations that a database has, oldest first. */
export const APPLIED = "SELECT hash, version FROM migrations WHERE hash <> 'lock' ORDER BY at";

async function stateOf(client: pg.Client): Promise<SchemaState> {
  const { rows: columns } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass('migrations') AND attnum > 0",
  );
  const has = (column: string) => columns.some(({ name }) => name === column);
  if (!has("hash")) return schemaState("pg", []);
  const text = has("version") ? APPLIED : "SELECT hash, '' AS version FROM migrations WHERE hash <> 'lock'";
  return schemaState("pg", (await client.query<AppliedMigration>(text)).rows);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: addressOf(url),
    connectionTimeoutMillis: 10_000,
    application_name: "beckon",
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await work(client);
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
    await client.query(
      "CREATE TABLE IF NOT EXISTS migrations (hash text PRIMARY KEY, at bigint NOT NULL, version text NOT NULL)",
    );
    await client.query("INSERT INTO migrations (hash, at, version) VALUES ('lock', 0, '') ON CONFLICT DO NOTHING");
  };
  try {
    await create();
  } catch (thrown) {
    // A conflict over the table, its type or a row of the catalog: the other process has committed it by now.
    if (!["23505", "42P07", "42710", "40001"].includes(sqlStateOf(thrown) ?? "")) throw thrown;
    await create();
  }
}
