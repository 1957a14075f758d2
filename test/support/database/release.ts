import Database from "better-sqlite3";
import pg from "pg";
import { knownMigrations } from "../../../db/known-migrations.ts";
import { movedTables } from "../../../db/moving/tables.ts";
import { isPostgres, sqlitePath } from "../../../db/open.ts";
import { version } from "../../../src/platform/version.ts";
import { sqliteDatabase } from "./database.ts";
import { fillTables } from "./fill-tables.ts";

/** A value of SQLite; bytes as base64. */
type Value = string | number | null | { readonly base64: string };

/** A database as a version has left it, to be made again and upgraded by each later version. */
export interface Release {
  readonly version: string;
  /** Hashes of its migrations, which no later version changes. */
  readonly migrations: Readonly<Record<"sqlite" | "pg", readonly string[]>>;
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: readonly Value[][];
  }[];
}

/** The present version with rows in every table, as a release. */
export async function presentRelease(): Promise<Release> {
  const { url, drop } = await sqliteDatabase();
  fillTables(sqlitePath(url), 4);
  const db = new Database(sqlitePath(url), { readonly: true });
  const hashes = (dialect: "sqlite" | "pg") => knownMigrations(dialect).map(({ hash }) => hash);
  const tables = movedTables().map(({ name, columns }) => {
    const names = columns.map((column) => column.name);
    const select = db.prepare(`SELECT ${names.map((column) => `"${column}"`).join(", ")} FROM "${name}"`).raw();
    const rows = (select.all() as unknown[][]).map((row) => row.map(stored));
    return { name, columns: names, rows };
  });
  db.close();
  await drop();
  return { version, migrations: { sqlite: hashes("sqlite"), pg: hashes("pg") }, tables };
}

/**
 * Makes the database of a release in an empty one.
 * @throws Error when this version does not know one of its migrations
 */
export async function makeRelease(url: string, release: Release): Promise<void> {
  const dialect = isPostgres(url) ? "pg" : "sqlite";
  const steps = release.migrations[dialect].map((hash) => {
    const known = knownMigrations(dialect).find((one) => one.hash === hash);
    if (!known) throw new Error(`A migration of ${release.version} was changed. Restore it, and write another one.`);
    return known;
  });
  const run = dialect === "pg" ? await onPostgres(url) : onSqlite(sqlitePath(url));
  try {
    const made = "(hash text PRIMARY KEY, at bigint NOT NULL, version text NOT NULL)";
    await run.text(`CREATE TABLE IF NOT EXISTS migrations ${made}`);
    for (const [at, { hash, sql }] of steps.entries()) {
      for (const statement of sql) await run.text(statement);
      await run.text(`INSERT INTO migrations VALUES ('${hash}', ${at}, '${release.version}')`);
    }
    await run.withoutTriggers(async () => {
      for (const { name, columns, rows } of release.tables) {
        const insert = insertInto(dialect, name, columns);
        for (const row of rows) await run.text(insert, row.map(restored));
      }
    });
  } finally {
    await run.close();
  }
}

function insertInto(dialect: "sqlite" | "pg", table: string, columns: readonly string[]): string {
  const into = columns.map((column) => `"${column}"`).join(", ");
  const values = columns.map((_, at) => (dialect === "pg" ? `$${at + 1}` : "?")).join(", ");
  // An identity column takes no value otherwise.
  const overriding = dialect === "pg" ? "OVERRIDING SYSTEM VALUE" : "";
  return `INSERT INTO "${table}" (${into}) ${overriding} VALUES (${values})`;
}

interface Run {
  text(statement: string, values?: unknown[]): Promise<unknown>;
  withoutTriggers(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

async function onPostgres(url: string): Promise<Run> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    text: (statement, values) => client.query(statement, values),
    async withoutTriggers(work) {
      await client.query("SET session_replication_role = replica");
      await work();
    },
    close: () => client.end(),
  };
}

function onSqlite(path: string): Run {
  const db = new Database(path);
  return {
    text: async (statement, values) => (values ? db.prepare(statement).run(values) : db.exec(statement)),
    async withoutTriggers(work) {
      const select = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");
      const triggers = select.all() as { name: string; sql: string }[];
      for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
      await work();
      for (const { sql } of triggers) db.exec(sql);
    },
    close: async () => void db.close(),
  };
}

function stored(value: unknown): Value {
  return Buffer.isBuffer(value) ? { base64: value.toString("base64") } : (value as Value);
}

function restored(value: Value): unknown {
  return value !== null && typeof value === "object" ? Buffer.from(value.base64, "base64") : value;
}
