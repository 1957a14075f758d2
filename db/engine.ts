import type { Column, SQL } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { Schema } from "./schema.ts";

/** The drizzle verbs that both dialects share; raw execution is left to the engines. */
export type Queries = Pick<
  PgDatabase<PgQueryResultHKT, Record<string, never>>,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** A query whose text is made once; its values are named (`sql.placeholder`). */
export interface Prepared<Row> {
  execute(values: Readonly<Record<string, unknown>>): Promise<Row[]>;
}

/** What drizzle's builders of queries are. */
export interface Preparable<Row> {
  prepare(name: string): { execute(values: Record<string, unknown>): PromiseLike<Row[]> };
}

/** Something to query: `q` asks, `t` names the tables. Never use the result of a write without `.returning()`. */
export interface Reader {
  readonly q: Queries;
  readonly t: Schema;
  /**
   * A query of the busiest paths, made once for each connection: building its text takes several times as long as
   * running it.
   * @param name its own, in the whole program
   */
  prepared<Row>(name: string, build: (db: Pick<Reader, "q" | "t">) => Preparable<Row>): Prepared<Row>;
  /** `column IN (ids)` as one parameter, however many ids. */
  among(column: Column, ids: readonly number[]): SQL;
  /** The links with keys `from` to `to`, ascending: what the checker needs of them. */
  linksBetween(from: number, to: number): Promise<WorkLink[]>;
  /** The API key of this hash, unless it was revoked. */
  keyOf(hash: string): Promise<Credential | null>;
  /** The access token of this hash and its grant, unless the grant was revoked. */
  tokenOf(hash: string): Promise<(Credential & { audience: string; expiresAt: number }) | null>;
}

/** What a secret stands for, as it is read at every call. */
export interface Credential {
  /** Of the key or the grant. */
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly name: string;
  /** Space-separated. */
  readonly scopes: string;
}

export type LinkRow = Schema["links"]["$inferSelect"];
export type WorkLink = Pick<LinkRow, "id" | "url" | "state" | "sentAt" | "cancelledAt">;
export type StepRow = Schema["steps"]["$inferSelect"];
export type NewStep = Omit<StepRow, "id" | "lease" | "leaseUntil" | "intentAt">;

/** What a batch of links changes to; a key that is absent stays as it is. */
export interface LinkPatch {
  state?: number;
  error?: string | null;
  sentAt?: number;
  indexedAt?: number | null;
  cancelledAt?: number | null;
  warnings?: string;
}

export interface LinkBatch {
  readonly ids: readonly number[];
  /** Only links in this state are changed. */
  readonly from: number;
  readonly patch: LinkPatch;
}

export interface Claim {
  readonly priority: number;
  /** Service time: steps due at or before it. */
  readonly dueBy: number;
  /** Real time. */
  readonly now: number;
  readonly lease: string;
  readonly leaseUntil: number;
  readonly limit: number;
}

/**
 * An open write transaction, as if it were alone. Await nothing inside but its own methods: on SQLite the one writer
 * waits. What it does may be done again from the start where the database serves several nodes: it changes nothing but
 * the database, and answers by what it returns. The handle is dead after the transaction.
 */
export interface Tx extends Reader {
  /** Links 0…n-1 of a new project, all in state 0. */
  insertLinks(project: { no: number; bucket: number }, urls: readonly string[]): Promise<void>;
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
   * Runs `work` in one durable read-write transaction: all of it, or nothing. Never nested.
   * @param meeting what is known of those that run at the same time; it makes no difference to what comes out
   * @throws DatabaseUnavailable
   */
  tx<T>(work: (tx: Tx) => Promise<T>, meeting?: Meeting): Promise<T>;
  /** Reads one moment of the whole database, which may take long. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Reads for figures that need not be of one moment, and that nobody waits for: no statement may take longer than a few
   * seconds. Ask in portions: on SQLite nothing else runs meanwhile.
   * @throws DatabaseUnavailable
   */
  glance<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Whether its schema is this version's: no migration is missing, and none is of another version. */
  isCurrent(): Promise<boolean>;
  /** Leases due steps that nobody holds, earliest first; no two claims get the same one. */
  claimSteps(claim: Claim): Promise<StepRow[]>;
  /** The real time, in ms since 1970, that all processes on this database go by. */
  now(): Promise<number>;
  /** How busy it is; absent where nothing waits for connections. */
  stats?(): DatabaseStats;
  /** Housekeeping that would otherwise fall to some commit; call it off the request path. */
  checkpoint(): void;
  close(): Promise<void>;
}

/** How a transaction meets others, where the database runs several at once. */
export interface Meeting {
  /** Names what many of them change, such as an account: those of one name come one by one. */
  readonly turn?: string;
  /**
   * Two of these that do not go together always change one row both, so that one of them is run again: nothing that it
   * only reads decides what it writes. The database then need not watch what is read, where it would also find false
   * conflicts among those that read or write near each other.
   */
  readonly guarded?: boolean;
}

/** Of this process alone. */
export interface DatabaseStats {
  /** Transactions run again since the start, because others had got in their way. */
  readonly retried: number;
  /** Connections that are open. */
  readonly poolTotal: number;
  /** Those that nobody uses. */
  readonly poolIdle: number;
  /** Who waits for one. */
  readonly poolWaiting: number;
}

/** Serialises writers inside one process. */
export interface WriterLock {
  run<T>(work: () => Promise<T>): Promise<T>;
}
