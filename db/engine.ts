import type { Column, SQL, Table } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { SchemaState } from "./known-migrations.ts";
import type { Schema } from "./schema.ts";
import type { LinkState } from "./words.ts";

/** The drizzle verbs that both dialects share; raw execution is left to the engines. */
export type Queries = Pick<
  PgDatabase<PgQueryResultHKT, Record<string, never>>,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** A query whose SQL text is built once, with named values (`sql.placeholder`). */
export interface Prepared<Row> {
  execute(values: Readonly<Record<string, unknown>>): Promise<Row[]>;
}

/** A query builder of drizzle. */
export interface Preparable<Row> {
  prepare(name: string): { execute(values: Readonly<Record<string, unknown>>): PromiseLike<Row[]> | Row[] };
}

/** A handle to query with: `q` builds queries, `t` holds the tables. Never use the result of a write without `.returning()`. */
export interface Reader {
  readonly q: Queries;
  readonly t: Schema;
  /**
   * A prepared query, for the busiest paths. Its text is built once, because that takes longer than to run it.
   * @param name unique in the whole program
   */
  prepared<Row>(name: string, build: (db: Pick<Reader, "q" | "t">) => Preparable<Row>): Prepared<Row>;
  /** `column IN (ids)` as one parameter, however many ids. */
  among(column: Column, ids: readonly number[]): SQL;
  /** The same for a prepared query. @param list the name of its parameter, which is the JSON of the ids */
  amongListed(column: Column, list: string): SQL;
  /**
   * The source of an insert of any number of rows. Its one parameter, `ROWS`, is their JSON, because a statement that lists
   * every row is slow to build. Only for tables of texts and integers.
   */
  rowsOf(table: Table): SQL;
  /** The text of a column with A–Z as a–z, for searching and sorting. Both dialects compare it by bytes. */
  caseless(column: Column): SQL;
  /** The numbers of a column in a group, in any order, as one value of a row. One row is read faster than many. */
  gathered(column: Column): SQL<number[]>;
  /** The links with keys `from` to `to`, ascending, with the columns that the checker needs. */
  linksBetween(from: number, to: number): Promise<WorkLink[]>;
}

export type LinkRow = Schema["links"]["$inferSelect"];
export type WorkLink = Pick<LinkRow, "id" | "url" | "state" | "sentAt" | "cancelledAt">;
export type StepRow = Schema["steps"]["$inferSelect"];
export type NewStep = Omit<StepRow, "id" | "lease" | "leaseUntil" | "intentAt">;

/** New values for a batch of links; a column whose key is absent stays as it is. */
export type LinkPatch = Partial<Omit<LinkRow, "id" | "bucket" | "url">>;

/** Texts in one piece of memory. */
export interface PackedTexts {
  /** An array in SQLite's binary form of JSON (sqlite.org/jsonb.html). */
  readonly jsonb: Buffer;
  toArray(): string[];
}

export interface LinkBatch {
  readonly ids: readonly number[];
  /** Only links in this state are changed. */
  readonly from: LinkState;
  readonly patch: LinkPatch;
}

/** How long a due step is left to the worker that is doing other steps of the same account, in service ms. */
export const LATE_MS = 60_000;

export interface Claim {
  readonly priority: number;
  /** Service time: steps due at or before it. */
  readonly dueBy: number;
  /** Real time. */
  readonly now: number;
  /** Names the claim: the worker and the number of its claim, `WORKER.NUMBER`. */
  readonly lease: string;
  readonly leaseUntil: number;
  readonly limit: number;
}

/**
 * An open write transaction. Await nothing in it but its own methods, and turns of the event loop in long work (`Slices`),
 * because on SQLite all other writers wait meanwhile. On PostgreSQL a conflict makes the callback run again from the start, so
 * it must change nothing but the database, and pass on results only as its return value. The handle cannot be used after the
 * transaction.
 */
export interface Tx extends Reader {
  /** Calls `hook`, which must neither wait nor throw, once the transaction is committed, and never if it is not. */
  afterCommit(hook: () => void): void;
  /**
   * The query, whose rows of these tables nobody changes from then on until the transaction is over. On SQLite nobody can change
   * them anyway.
   */
  held<Query extends object>(query: Query, ...tables: readonly Table[]): Query;
  /** Links 0…n-1 of a new project, all waiting. */
  insertLinks(project: { no: number; bucket: number }, urls: PackedTexts): Promise<void>;
  insertSteps(steps: readonly NewStep[]): Promise<void>;
  /** @returns how many links were in `from` and have changed */
  moveLinks(batch: LinkBatch): Promise<number>;
}

/**
 * A database. There is one implementation per dialect (sqlite/, postgres/), and nothing above `db/` knows which.
 */
export interface Engine extends Reader {
  readonly dialect: "sqlite" | "pg";
  /**
   * Runs `work` in one durable read-write transaction, which cannot be nested.
   * @param options how it runs when others run at the same time; its effect on the database is always the same
   * @throws DatabaseUnavailable
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Reads the whole database as of one moment; there is no time limit. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Reads at READ COMMITTED, for metrics: each statement sees the database as of its own start, and may take a few seconds.
   * Split long queries, because on SQLite they block the process.
   * @throws DatabaseUnavailable
   */
  readCommitted<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** The schema that the database has now; another process may have changed it. */
  schema(): Promise<SchemaState>;
  /**
   * Leases due steps that no worker holds, earliest first; no two claims get the same one. On PostgreSQL the steps of an
   * account are left to the worker that is doing some of them, until they are late (`LATE_MS`): two workers that return credits
   * to the same account conflict, and one of them does the work twice. On SQLite there is one worker.
   */
  claimSteps(claim: Claim): Promise<StepRow[]>;
  /** The database's clock, which all processes on it use: real time in ms since 1970. */
  now(): Promise<number>;
  /** Figures of the connection pool; absent on SQLite, which has none. */
  stats?(): DatabaseStats;
  /** SQLite: moves the write-ahead log into the file, so that no commit has to. Call it outside of requests. */
  checkpoint(): void;
  close(): Promise<void>;
}

/** How a transaction runs on PostgreSQL when others run at the same time. SQLite runs all transactions one after another. */
export interface TxOptions {
  /**
   * Key of rows that many transactions change, such as an account's id. This process runs transactions with the same key one
   * at a time, so that they do not conflict with each other.
   */
  readonly serializeBy?: string;
  /**
   * Default: serializable. "repeatable read" has fewer false conflicts. It is enough where a transaction's writes depend only
   * on rows that it changes: two transactions that exclude each other change the same row, and one of them runs again.
   */
  readonly isolation?: "serializable" | "repeatable read";
}

/** Figures of this process alone. */
export interface DatabaseStats {
  /** Transactions that were run again because of a conflict, since the start. */
  readonly retried: number;
  /** Open connections. */
  readonly poolTotal: number;
  /** Open connections that are not in use. */
  readonly poolIdle: number;
  /** Callers that wait for a connection. */
  readonly poolWaiting: number;
}
