import pg from "pg";
import type { Reader } from "../engine.ts";
import { type Row, sizeOf } from "../moving/canonical.ts";
import { isFilledByUse, type MovedColumn, type MovedTable } from "../moving/tables.ts";
import { addressOf } from "./address.ts";
import { asUnavailable, explainRefusal } from "./error-codes.ts";
import { migratePostgres } from "./migrate.ts";
import { readerOver } from "./postgres.ts";

/** Bytes that one question or answer may hold. */
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_ROWS = 10_000;
/** How long to wait for others to leave the tables, in ms. */
const LOCK_MS = 5_000;

/** A PostgreSQL database that is filled in one transaction; unless `commit` is called, it stays as it was. */
export interface Target {
  /** Sends rows on; returns once there is room for more. */
  write(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** All rows are written. Numbering goes on after `last`. */
  finish(table: MovedTable, last: number): Promise<void>;
  /** The rows as PostgreSQL has them now, in the order of the primary key. @param largest size of the largest row */
  batches(table: MovedTable, largest: number): AsyncIterable<Row[]>;
  /** Reads what is written so far. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** @throws Error saying so when nobody knows whether it has happened */
  commit(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes an empty database for itself, at the newest schema. What a service writes by starting is no use of it, and makes
 * room.
 * @throws Error when it is in use, others are at work on it, or it does not answer
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
  const ask = async (text: string, values?: unknown[]): Promise<Row[]> => {
    try {
      return (await client.query<Row>({ text, ...(values ? { values } : {}), rowMode: "array" })).rows;
    } catch (thrown) {
      throw explained(thrown);
    }
  };
  try {
    await refuseRows(ask, tables);
    await migratePostgres(url);
    await ask(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
      SET LOCAL lock_timeout = ${LOCK_MS}`);
    await takeTables(ask, tables, host);
    await refuseServices(ask, host);
    await refuseRows(ask, tables);
    for (const { name } of tables) {
      // What was written under the rules of the triggers keeps to them; in the order of keys it would not.
      await ask(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
      await ask(`DELETE FROM "${name}"`);
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
      sent = ask(insertInto(table), values);
      // Whoever comes next is told.
      sent.catch(() => undefined);
    },
    async finish({ name, identity }, last) {
      await sent;
      if (identity !== null && last > 0) {
        // Goes back with the transaction, which setval would not.
        await ask(`ALTER TABLE "${name}" ALTER COLUMN "${identity}" RESTART WITH ${last + 1}`);
      }
      await ask(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
      await ask(`ANALYZE "${name}"`);
    },
    async *batches(table, largest) {
      const names = table.columns.map(({ name }) => `"${name}"`).join(", ");
      const order = table.key.map(inBytes).join(", ");
      await ask(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${names} FROM "${table.name}" ORDER BY ${order}`);
      const at = Math.max(1, Math.min(BATCH_ROWS, Math.floor((2 * BATCH_BYTES) / Math.max(1, largest))));
      let next = ask(`FETCH ${at} FROM moved`);
      for (;;) {
        const rows = await next;
        if (rows.length === 0) break;
        next = ask(`FETCH ${at} FROM moved`);
        next.catch(() => undefined);
        yield rows;
      }
      await ask("CLOSE moved");
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
    application_name: "beckon move",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Whatever is asked next fails, and says so.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Rows in batches that neither side finds too large. */
export function* batchesOf(rows: Iterable<Row>, told: (size: number) => void): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = sizeOf(row);
    told(size);
    batch.push(row);
    bytes += size;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

type Ask = (text: string, values?: unknown[]) => Promise<Row[]>;

async function refuseRows(ask: Ask, tables: readonly MovedTable[]): Promise<void> {
  const full: string[] = [];
  for (const { name } of tables.filter(isFilledByUse)) {
    const [there] = await ask("SELECT to_regclass($1) IS NOT NULL", [`"${name}"`]);
    if (!there![0]) continue;
    const [any] = await ask(`SELECT EXISTS (SELECT 1 FROM "${name}")`);
    if (any![0]) full.push(name);
  }
  if (full.length === 0) return;
  throw new Error(
    `The target is not empty: there are rows in ${full.join(", ")}. Nothing was moved. Where an earlier move has filled it, see "Moving to PostgreSQL" in the document on operating; otherwise make an empty database (createdb NAME) and name that.`,
  );
}

async function takeTables(ask: Ask, tables: readonly MovedTable[], host: string): Promise<void> {
  try {
    await ask(`LOCK TABLE ${tables.map(({ name }) => `"${name}"`).join(", ")} IN ACCESS EXCLUSIVE MODE`);
  } catch (thrown) {
    const { code } = (thrown ?? {}) as { code?: unknown };
    if (code !== "55P03") throw thrown;
    throw othersAtWork(host, thrown);
  }
}

/** A service that has nothing to do holds no table; it knows the mode and the clock of what it started on. */
async function refuseServices(ask: Ask, host: string): Promise<void> {
  const [any] = await ask(
    "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'beckon')",
  );
  if (any![0]) throw othersAtWork(host);
}

function othersAtWork(host: string, cause?: unknown): Error {
  return new Error(`Others are at work on the target at ${host}. Stop whatever serves from it.`, { cause });
}

/** The order of SQLite: by bytes, whatever language the database was made for. */
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

/** Numbers and truth values as such; all else, bytes too, as PostgreSQL writes it. */
const TYPES = {
  getTypeParser(oid: number) {
    if (oid === INT2 || oid === INT4 || oid === INT8) return Number;
    if (oid === BOOL) return (text: string) => text === "t";
    return (text: string) => text;
  },
} as unknown as pg.CustomTypesConfig;
