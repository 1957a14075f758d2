import Database from "better-sqlite3";
import { type Column, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { type Lock, Mutex } from "../../src/platform/concurrency.ts";
import { ROWS, selectOf } from "../bulk-rows.ts";
import type { Engine, Queries, Reader } from "../engine.ts";
import { schema } from "../schema.sqlite.ts";
import { TransactionScope } from "../transaction-scope.ts";
import { LINK_STATES } from "../words.ts";
import { asUnavailable } from "./error-codes.ts";
import { GroupCommit } from "./group-commit.ts";
import { hotStatements } from "./hot.ts";
import { preparedOn } from "./prepared.ts";
import { stateOf } from "./schema-state.ts";
import { cacheStatements, preparing } from "./statements.ts";
import { useWriteAheadLog } from "./write-ahead-log.ts";

export interface SqliteOptions {
  /** Shared by every connection of one process that writes to this file. */
  lock?: Lock;
  /** Pages of write-ahead log before a commit moves them into the file itself; 0: another program does so. */
  checkpointPages?: number;
  /** How long to wait for a writer of another process, in ms. Default 15 s. */
  busyMs?: number;
  /** Off only where losing the last second in a power cut is fine: throw-away test databases. */
  durable?: boolean;
}

/**
 * SQLite with one writer connection, whose transactions are queued in this process (`lock`) and begin IMMEDIATE because of
 * other processes, and one read-only connection, which never sees uncommitted rows.
 * `synchronous=FULL`: a commit that returned survives a power cut (sqlite.org/pragma.html#pragma_synchronous).
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Engine {
  const writer = new Database(path, { fileMustExist: true, timeout: 5_000 });
  useWriteAheadLog(writer);
  writer.pragma(`synchronous = ${options.durable === false ? "OFF" : "FULL"}`);
  writer.pragma(`wal_autocheckpoint = ${options.checkpointPages ?? 1000}`);
  // In KiB. A transaction with more pages writes them to the log as it works, so that its commit does not stop the event loop
  // for all of them.
  writer.pragma("cache_size = -8192");
  // What a savepoint has to put back would otherwise go to a temporary file, which is as much writing again as the log.
  writer.pragma("temp_store = MEMORY");
  // group-commit.ts waits for other writers asynchronously; SQLite's own wait would block the event loop.
  writer.pragma("busy_timeout = 0");
  const reader = openForReading(path);

  const lock = options.lock ?? new Mutex();
  const scope = new TransactionScope();
  const { claimSteps, ...hot } = hotStatements(writer);
  const read = readerOver(reader);
  const commits = new GroupCommit(writer, lock, { ...readerOver(writer), ...hot }, options.busyMs);
  const tx: Engine["tx"] = (work) => {
    if (scope.isActive()) throw new Error("a transaction inside a transaction");
    return commits.run((handle) => scope.run(() => work(handle)));
  };

  return {
    dialect: "sqlite",
    ...read,
    tx,
    snapshot: (work) => snapshotOf(path, work),
    readCommitted: (work) => work(read),
    schema: async () => stateOf(reader),
    claimSteps: (claim) => tx(() => claimSteps(claim)),
    now: async () => Date.now(),
    checkpoint() {
      // A long transaction yields to the event loop; during one, SQLite refuses a checkpoint with SQLITE_LOCKED.
      if (writer.inTransaction) return;
      try {
        writer.pragma("wal_checkpoint(PASSIVE)");
      } catch (thrown) {
        // The log is safe and is moved the next time; writers report a full disk.
        if (!asUnavailable(thrown)) throw thrown;
      }
    },
    async close() {
      reader.close();
      writer.close();
    },
  };
}

/** @throws DatabaseUnavailable */
function openForReading(path: string): Database.Database {
  try {
    return new Database(path, { readonly: true, timeout: 5_000 });
  } catch (thrown) {
    throw asUnavailable(thrown) ?? thrown;
  }
}

/**
 * A connection for one reader of everything, which neither waits for writers nor keeps them waiting. What it sorts may be
 * large, and goes to temporary files.
 */
async function snapshotOf<T>(path: string, work: (reader: Reader) => Promise<T>): Promise<T> {
  const connection = openForReading(path);
  try {
    connection.exec("BEGIN");
    return await work(readerOver(connection));
  } finally {
    connection.close();
  }
}

/** In ms, or null: not yet. */
type Time = number | null;

export function readerOver(bare: Database.Database): Reader {
  const prepare = preparing(bare);
  const connection = cacheStatements(bare);
  // Each column is one JSON value of a single row, which is read faster than a row for each link. The links come in the order
  // of their keys, because a range of keys is read. To ask for that order would make SQLite copy each row first.
  const between = connection
    .prepare(
      `SELECT json_group_array(id), json_group_array(url), json_group_array(state), json_group_array(sent_at),
         json_group_array(cancelled_at)
       FROM links WHERE id >= ? AND id <= ?`,
    )
    .raw();
  // Built by the SQLite dialect under PostgreSQL's types; see dialect.ts.
  const q = drizzle({ client: connection }) as unknown as Queries;
  return {
    async linksBetween(from, to) {
      const columns = (between.get(from, to) as string[]).map((column) => JSON.parse(column));
      const [ids, urls, states, sentAt, cancelledAt] = columns as [number[], string[], number[], Time[], Time[]];
      return ids.map((id, at) => ({
        id,
        url: urls[at]!,
        state: LINK_STATES[states[at]!]!,
        sentAt: sentAt[at]!,
        cancelledAt: cancelledAt[at]!,
      }));
    },
    q,
    t: schema,
    prepared: preparedOn(prepare, q, schema),
    among: (column: Column, ids: readonly number[]) =>
      sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    amongListed: (column: Column, list: string) =>
      sql`${column} IN (SELECT value FROM json_each(${sql.placeholder(list)}))`,
    rowsOf: (table) =>
      // Without WHERE, ON CONFLICT would be read as a join (sqlite.org/lang_upsert.html, section 2.2).
      sql`${selectOf(table, (property) => sql`value ->> ${sql.raw(`'${property}'`)}`)} FROM json_each(${sql.placeholder(ROWS)}) WHERE true`,
    caseless: (column: Column) => sql`lower(${column})`,
    gathered: (column: Column) => sql<number[]>`json_group_array(${column})`.mapWith(JSON.parse),
  };
}
