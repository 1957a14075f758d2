import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openDatabase } from "../../../db/open.ts";

/** An empty, migrated database for one test. */
export interface TestDatabase {
  /** Value for DATABASE_URL. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes a database of the dialect that this run of the tests uses (vitest.config.ts). */
export function testDatabase(): Promise<TestDatabase> {
  return isOnPostgres ? postgresDatabase() : sqliteDatabase();
}

/** Whether this run of the tests is the one on PostgreSQL. */
export const isOnPostgres = process.env.TEST_DIALECT === "pg";

export async function sqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-test-"));
  const file = join(folder, "test.db");
  migrated ??= migrateOnce();
  await writeFile(file, await migrated);
  return {
    url: `file:${file}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A migrated file, written for each test of this process: writing is quicker than migrating. */
let migrated: Promise<Buffer> | undefined;

/** Removes its file at once: the processes of the tests are ended by a signal, and could not remove it then. */
async function migrateOnce(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-test-"));
  try {
    const file = join(folder, "template.db");
    await (await openDatabase(`file:${file}`, { durable: false })).close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a database on the server that the run has started (postgres-setup.ts): one that an earlier test has released, if its
 * schema is unchanged, or else a new copy of the migrated template.
 */
export async function postgresDatabase(): Promise<TestDatabase> {
  const url = idle.pop() ?? (await copyOfTemplate());
  return {
    url,
    async drop() {
      if (await emptied(url)) idle.push(url);
      else await ask(server(), `DROP DATABASE ${nameOf(url)} WITH (FORCE)`);
    },
  };
}

/** Name of the database that is migrated once for the whole run, and copied. */
export const TEMPLATE = "beckon_template";

/** Databases that were released. Emptying one is quicker than creating and dropping one. */
const idle: string[] = [];

/** Connections that empty databases, by their URLs. They are kept: a new one would first read the catalog. */
const cleaners = new Map<string, pg.Client>();

/** `application_name` of these connections, for tests that count others. */
export const CLEANER = "beckon test cleaner";

async function copyOfTemplate(): Promise<string> {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  await ask(server(), `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const url = new URL(server());
  url.pathname = `/${name}`;
  return url.href;
}

/** Empties a database that nobody has open. @returns false if a test has changed its schema */
async function emptied(url: string): Promise<boolean> {
  // A process that was killed may have left connections.
  await (await cleanerOf(url)).query(`SELECT pg_terminate_backend(pid, 10000) ${OTHERS}`);
  return deleteRows(url);
}

/** Deletes all rows of a database. @returns false if a test has changed its schema, and then nothing is deleted */
export async function deleteRows(url: string): Promise<boolean> {
  const client = await cleanerOf(url);
  if ((await shapeBy(client)) !== process.env.TEST_POSTGRES_SHAPE) {
    cleaners.delete(url);
    await client.end();
    return false;
  }
  await client.query(DELETE_ROWS);
  return true;
}

/** Number of connections to a database, without the one that counts. */
export async function connectionsTo(url: string): Promise<number> {
  const { rows } = await (await cleanerOf(url)).query<{ count: string }>(`SELECT count(*) ${OTHERS}`);
  return Number(rows[0]!.count);
}

const OTHERS = `FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

async function cleanerOf(url: string): Promise<pg.Client> {
  const known = cleaners.get(url);
  if (known) return known;
  const client = new pg.Client({ connectionString: url, application_name: CLEANER });
  // Some tests end all connections of their database.
  client.on("error", () => cleaners.delete(url));
  await client.connect();
  cleaners.set(url, client);
  return client;
}

/** A fingerprint of the schema: it changes with every table, column, index, trigger, function and migration. */
export async function shapeAt(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await shapeBy(client);
  } finally {
    await client.end();
  }
}

async function shapeBy(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(SHAPE);
  return rows[0]!.shape;
}

/**
 * What is made or changed has a newer transaction than all before, and what is dropped is one less. Ids from 16384 on are of
 * objects that the server did not bring.
 */
const SHAPE = `
  SELECT string_agg(concat(rows, ' ', newest), ',' ORDER BY kind) AS shape FROM (
    SELECT 1 AS kind, count(*) AS rows, max(xmin::text::bigint) AS newest FROM pg_class WHERE oid >= 16384
    UNION ALL SELECT 2, count(*), max(xmin::text::bigint) FROM pg_attribute WHERE attrelid >= 16384
    UNION ALL SELECT 3, count(*), max(xmin::text::bigint) FROM pg_trigger
    UNION ALL SELECT 4, count(*), max(xmin::text::bigint) FROM pg_proc WHERE oid >= 16384
    UNION ALL SELECT 5, count(*), max(xmin::text::bigint) FROM migrations) AS catalogs`;

/** Deletes all rows, without the triggers by which the ledger refuses it. A table without a file has never had rows. */
const DELETE_ROWS = `
  SET session_replication_role = replica;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname <> 'migrations' AND pg_relation_size(oid) > 0
    LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    PERFORM setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
  END $$`;

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function server(): string {
  return process.env.TEST_POSTGRES_URL!;
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
