import pg from "pg";
import type { Reader } from "../engine.ts";
import { type Row, sizeOf } from "../moving/canonical.ts";
import { isFilledByUse, type MovedColumn, type MovedTable } from "../moving/tables.ts";
import { addressOf } from "./address.ts";
import { asUnavailable, explainRefusal } from "./error-codes.ts";
import { migratePostgres } from "./migrate.ts";
import { readerOver } from "./postgres.ts";

/** Most bytes of one query or result. */
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_ROWS = 10_000;
/** How long to wait for the locks of the tables, in ms. */
const LOCK_MS = 5_000;

/** A PostgreSQL database that is filled in one transaction; without `commit` it stays unchanged. */
export interface Target {
  /** Sends rows; returns once the rows before them are written. */
  write(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** Completes a table whose rows are all written. Its identity column continues after `last`. */
  finish(table: MovedTable, last: number): Promise<void>;
  /** The rows that PostgreSQL has now, in order of the primary key. @param largest bytes of the largest row */
  batches(table: MovedTable, largest: number): AsyncIterable<Row[]>;
  /** Reads what is written so far. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** @throws Error that says so when it is not known whether the commit happened */
  commit(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Locks an empty database and migrates it to the newest schema. The rows that a service writes when it starts do not count as
 * use, and are deleted.
 * @throws Error when it has rows, other programs use it, or it is not available
 */
export async function openTarget(url: string, tables: readonly MovedTable[]): Promise<Target> {
  const { host } = new URL(url);
  const explained = (thrown: unknown): unknown => {
    const refusal = explainRefusal(thrown, url);
    if (refusal) return new Error(refusal, { cause: thrown });
    const away = asUnavailable(thrown);
    return away ? new Error(`PostgreSQL at ${host}: ${away.message}`, { cause: thrown }) : thrown;
  };
  const client = await clientOf(url).catch((thrown) => {
    throw explained(thrown);
  });
  const query = async (text: string, values?: unknown[]): Promise<Row[]> => {
    try {
      return (await client.query<Row>({ text, ...(values ? { values } : {}), rowMode: "array" })).rows;
    } catch (thrown) {
      throw explained(thrown);
    }
  };
  try {
    await refuseRows(query, tables);
    await migratePostgres(url);
    await query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
      SET LOCAL lock_timeout = ${LOCK_MS}`);
    await lockTables(query, tables, host);
    await refuseRunningServices(query, host);
    await refuseRows(query, tables);
    for (const { name } of tables) {
      // The rows satisfied the triggers when they were first written; copied in the order of keys they would not.
      await query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
      await query(`DELETE FROM "${name}"`);
    }
  } catch (thrown) {
    await client.end().catch(() => undefined);
    throw explained(thrown);
  }

  let sent: Promise<unknown> = Promise.resolve();
  return {
    async write(table, rows) {
      const values = table.columns.map((_, at) => rows.map((row) => row[at]));
      await sent;
      sent = query(insertInto(table), values);
      // The next call awaits it, and throws its error.
      sent.catch(() => undefined);
    },
    async finish({ name, identity }, last) {
      await sent;
      if (identity !== null && last > 0) {
        // Rolled back with the transaction, unlike setval.
        await query(`ALTER TABLE "${name}" ALTER COLUMN "${identity}" RESTART WITH ${last + 1}`);
      }
      await query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
      await query(`ANALYZE "${name}"`);
    },
    async *batches(table, largest) {
      const names = table.columns.map(({ name }) => `"${name}"`).join(", ");
      const order = table.key.map(inBytes).join(", ");
      await query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${names} FROM "${table.name}" ORDER BY ${order}`);
      const batchRows = Math.max(1, Math.min(BATCH_ROWS, Math.floor((2 * BATCH_BYTES) / Math.max(1, largest))));
      let next = query(`FETCH ${batchRows} FROM moved`);
      for (;;) {
        const rows = await next;
        if (rows.length === 0) break;
        next = query(`FETCH ${batchRows} FROM moved`);
        next.catch(() => undefined);
        yield rows;
      }
      await query("CLOSE moved");
    },
    async snapshot(work) {
      try {
        return await work(readerOver(client));
      } catch (thrown) {
        throw explained(thrown);
      }
    },
    async commit() {
      try {
        const { command } = await client.query("COMMIT");
        if (command !== "COMMIT") throw new Error("PostgreSQL has taken the transaction back");
      } catch (thrown) {
        const away = asUnavailable(thrown);
        if (!away) throw thrown;
        throw new Error(
          `PostgreSQL at ${host} was lost while it committed: it holds everything, or nothing. Run this again: where it refuses a target with rows, it was everything.`,
          { cause: thrown },
        );
      }
    },
    close: () => client.end(),
  };
}

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: addressOf(url),
    types: TYPES,
    application_name: "beckon-move",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // The next query fails with the error.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Groups rows into batches that are small enough for both sides. @param onRow called with the bytes of each row */
export function* batchesOf(rows: Iterable<Row>, onRow: (size: number) => void): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = sizeOf(row);
    onRow(size);
    batch.push(row);
    bytes += size;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

type Query = (text: string, values?: unknown[]) => Promise<Row[]>;

async function refuseRows(query: Query, tables: readonly MovedTable[]): Promise<void> {
  const full: string[] = [];
  for (const { name } of tables.filter(isFilledByUse)) {
    const [there] = await query("SELECT to_regclass($1) IS NOT NULL", [`"${name}"`]);
    if (!there![0]) continue;
    const [any] = await query(`SELECT EXISTS (SELECT 1 FROM "${name}")`);
    if (any![0]) full.push(name);
  }
  if (full.length === 0) return;
  throw new Error(
    `The target is not empty: there are rows in ${full.join(", ")}. Nothing was moved. Where an earlier move has filled it, see "Moving to PostgreSQL" in the document on operating; otherwise make an empty database (createdb NAME) and name that.`,
  );
}

async function lockTables(query: Query, tables: readonly MovedTable[], host: string): Promise<void> {
  try {
    await query(`LOCK TABLE ${tables.map(({ name }) => `"${name}"`).join(", ")} IN ACCESS EXCLUSIVE MODE`);
  } catch (thrown) {
    const { code } = (thrown ?? {}) as { code?: unknown };
    if (code !== "55P03") throw thrown;
    throw inUse(host, thrown);
  }
}

/** An idle service holds no lock, but has read the mode and the clock of this database. */
async function refuseRunningServices(query: Query, host: string): Promise<void> {
  const [any] = await query(
    "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'beckon')",
  );
  if (any![0]) throw inUse(host);
}

function inUse(host: string, cause?: unknown): Error {
  return new Error(`The target at ${host} is in use. Stop the services that run on it.`, { cause });
}

/** Sorts text by bytes as SQLite does, whatever the database's collation. */
function inBytes({ name, kind }: MovedColumn): string {
  return kind === "text" ? `"${name}" COLLATE "C"` : `"${name}"`;
}

function insertInto({ name, columns, identity }: MovedTable): string {
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const arrays = columns.map(({ kind }, at) => `$${at + 1}::${kind}[]`).join(", ");
  const numbering = identity === null ? "" : "OVERRIDING SYSTEM VALUE";
  return `INSERT INTO "${name}" (${names}) ${numbering} SELECT * FROM unnest(${arrays})`;
}

const { BOOL, INT2, INT4, INT8 } = pg.types.builtins;

/** Numbers and booleans are parsed; everything else, also bytea, stays in PostgreSQL's text form. */
const TYPES = {
  getTypeParser(oid: number) {
    if (oid === INT2 || oid === INT4 || oid === INT8) return Number;
    if (oid === BOOL) return (text: string) => text === "t";
    return (text: string) => text;
  },
} as unknown as pg.CustomTypesConfig;
