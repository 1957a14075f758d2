import pg from "pg";
import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";
import { addressOf } from "./address.ts";
import { asUnavailable, isDeadConnection, sqlStateOf } from "./error-codes.ts";
import { ShrinkingPool } from "./pool.ts";

/** Something that queries can be sent to: a pool, or one client of it. */
export type Connection = Pick<pg.Pool, "query">;

export interface PostgresOptions {
  /**
   * Most connections of this process. The server's max_connections has to allow the connections of all processes. Default 10.
   */
  pool?: number;
  /** How long a query may wait for a connection, free or new, in ms. Default 10 s. */
  connectMs?: number;
  /** How long the server may take over a statement, in ms. Default 30 s. */
  statementMs?: number;
  /** How long a transaction is retried after conflicts, its wait in the queue included, in ms. Default 20 s. */
  retryMs?: number;
}

const DEFAULT_POOL = 10;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;
/** How long a statement may wait for a row that another transaction has locked, in ms. */
const LOCK_MS = 10_000;
/** After this time the server ends an idle transaction, whose process is probably gone; in ms. */
const IDLE_MS = 15_000;

/** Settings of each session. With these keepalives the server notices within a minute that the client's machine is gone. */
const SESSION = [
  `lock_timeout = ${LOCK_MS}`,
  `idle_in_transaction_session_timeout = ${IDLE_MS}`,
  // Writes are made only in transactions that begin READ WRITE.
  "default_transaction_read_only = on",
  "tcp_keepalives_idle = 20",
  "tcp_keepalives_interval = 5",
  "tcp_keepalives_count = 4",
]
  .map((setting) => `SET ${setting}`)
  .join("; ");

/** bigint and numeric are read as numbers: times, ids and counts are all below 2^53. */
const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (NUMBERS.includes(oid) && format !== "binary") return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as pg.CustomTypesConfig;

export function openPool(url: string, options: PostgresOptions = {}): pg.Pool {
  const { pool = DEFAULT_POOL, connectMs = CONNECT_MS, statementMs = STATEMENT_MS } = options;
  const opened = new ShrinkingPool({
    connectionString: addressOf(url),
    types,
    max: pool,
    application_name: "beckon",
    connectionTimeoutMillis: connectMs,
    // The client's own limit, for when the server's answer is lost in the network.
    query_timeout: (statementMs * 4) / 3,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: async (client) => {
      client.on("error", () => undefined);
      await client.query(`SET statement_timeout = ${statementMs}; ${SESSION}`);
    },
  });
  // An idle connection that breaks leaves the pool, which opens another one for the next caller.
  opened.on("error", () => undefined);
  return opened;
}

/**
 * Retries reads after the server was restarted: a connection that broke while it was idle fails on its next use, and the
 * read is sent once more over a new one.
 */
export function withReadRetry(pool: pg.Pool): Connection {
  const query = async (...given: unknown[]) => {
    const ask = pool.query.bind(pool) as unknown as (...given: unknown[]) => Promise<pg.QueryResult>;
    try {
      return await ask(...given);
    } catch (thrown) {
      if (sqlStateOf(thrown) === "55P03")
        throw new DatabaseUnavailable("The rows are locked by another transaction.", thrown);
      if (!isDeadConnection(thrown)) throw asUnavailable(thrown) ?? thrown;
    }
    try {
      return await ask(...given);
    } catch (thrown) {
      throw asUnavailable(thrown) ?? thrown;
    }
  };
  return { query } as unknown as Connection;
}
