import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { KeyedMutex } from "../../src/platform/concurrency.ts";
import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";
import type { Reader, Tx, TxOptions } from "../engine.ts";
import type { PostgresOptions } from "./connection.ts";
import { asUnavailable, isConflict, isDeadConnection } from "./error-codes.ts";

const RETRY_MS = 20_000;
/** Longest pause between two tries, in ms; shorter at first. */
const MAX_PAUSE_MS = 100;

const BEGIN = {
  serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE",
  repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE",
  readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
  metrics: "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL statement_timeout = 5000",
  snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0",
} as const;

/** The key under which retries of transactions without `serializeBy` are serialized; no account has this id. */
const RETRIES = "";

/**
 * Runs transactions, and runs them again after conflicts. This process runs transactions with the same `serializeBy` one at a
 * time: they conflict only with other processes, and take one connection however many wait. The first try of any other
 * transaction runs at once. Its retries after a conflict are serialized, so that such transactions do not starve each other.
 */
export class Transactions {
  readonly #pool: pg.Pool;
  readonly #handles = new WeakMap<pg.PoolClient, Omit<Tx, "afterCommit">>();
  readonly #handleOf: (client: pg.PoolClient) => Omit<Tx, "afterCommit">;
  readonly #retryMs: number;
  readonly #serialized = new KeyedMutex();
  #retried = 0;

  constructor(
    pool: pg.Pool,
    handleOf: (client: pg.PoolClient) => Omit<Tx, "afterCommit">,
    { retryMs = RETRY_MS }: Pick<PostgresOptions, "retryMs"> = {},
  ) {
    this.#pool = pool;
    this.#retryMs = retryMs;
    this.#handleOf = handleOf;
  }

  /** How often a transaction was run again after a conflict, since the start. */
  get retried(): number {
    return this.#retried;
  }

  /** Runs a read-write transaction, again after conflicts for up to `retryMs`. @throws DatabaseUnavailable */
  async run<T>(work: (tx: Tx) => Promise<T>, { serializeBy, isolation }: TxOptions = {}): Promise<T> {
    const deadline = performance.now() + this.#retryMs;
    const begin = isolation === "repeatable read" ? BEGIN.repeatableRead : BEGIN.serializable;
    const attempt = async () => {
      const hooks: (() => void)[] = [];
      const value = await this.#attempt(begin, (client) => this.#withHandle(client, work, hooks));
      for (const hook of hooks) hook();
      return value;
    };
    if (serializeBy !== undefined) return this.#serialized.run(serializeBy, () => this.#repeat(attempt, 1, deadline));
    try {
      return await attempt();
    } catch (thrown) {
      if (!isConflict(thrown, 1)) throw asUnavailable(thrown) ?? thrown;
    }
    return this.#serialized.run(RETRIES, () => this.#repeat(attempt, 2, deadline));
  }

  async #repeat<T>(attempt: () => Promise<T>, first: number, deadline: number): Promise<T> {
    let last: unknown;
    for (let tries = first; performance.now() <= deadline; tries++) {
      if (tries > 1) this.#retried++;
      try {
        return await attempt();
      } catch (thrown) {
        if (!isConflict(thrown, tries)) throw asUnavailable(thrown) ?? thrown;
        last = thrown;
      }
      await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** tries));
    }
    throw new DatabaseUnavailable("Too many transactions were changing the same rows.", last);
  }

  /** Reads the whole database as of one moment, without a time limit. @throws DatabaseUnavailable */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#once(BEGIN.snapshot, (client) => this.#withHandle(withoutTimeout(client), work));
  }

  /** Reads for metrics: each statement sees the database as of its own start, and may take 5 s. @throws DatabaseUnavailable */
  readCommitted<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#once(BEGIN.metrics, (client) => this.#withHandle(client, work));
  }

  /** Runs a statement at READ COMMITTED that locks its rows itself. @throws DatabaseUnavailable */
  claim<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#once(BEGIN.readCommitted, work);
  }

  async #once<T>(begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(begin, work);
    } catch (thrown) {
      throw asUnavailable(thrown) ?? thrown;
    }
  }

  async #attempt<T>(begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#begin(begin);
    let broken = false;
    try {
      const value = await work(client);
      await commit(client);
      return value;
    } catch (thrown) {
      // The server rolls back when the connection is lost; a ROLLBACK over a silent connection would time out once more.
      broken = asUnavailable(thrown) !== null || !(await rolledBack(client));
      throw thrown;
    } finally {
      client.release(broken);
    }
  }

  /** Begins a transaction. A connection that broke while it was idle fails here, where nothing has happened yet; another is used. */
  async #begin(text: string): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries++) {
      const client = await this.#pool.connect();
      try {
        await client.query(text);
        return client;
      } catch (thrown) {
        client.release(true);
        if (tries > this.#pool.options.max || !isDeadConnection(thrown)) throw thrown;
      }
    }
  }

  async #withHandle<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>, hooks: (() => void)[] = []): Promise<T> {
    let made = this.#handles.get(client);
    if (!made) {
      made = this.#handleOf(client);
      this.#handles.set(client, made);
    }
    const handle = Proxy.revocable<Tx>({ ...made, afterCommit: (hook) => void hooks.push(hook) }, {});
    try {
      return await work(handle.proxy);
    } finally {
      handle.revoke();
    }
  }
}

/** The same connection without the client's own time limit (connection.ts), which would end what the server allows. */
function withoutTimeout(client: pg.PoolClient): pg.PoolClient {
  const query = (asked: string | pg.QueryConfig, ...rest: unknown[]) => {
    const given = typeof asked === "string" ? { text: asked } : asked;
    return (client.query as (...given: unknown[]) => unknown).call(
      client,
      { ...given, query_timeout: NO_TIMEOUT_MS },
      ...rest,
    );
  };
  return { query } as unknown as pg.PoolClient;
}

/** In effect no limit; pg ignores 0. */
const NO_TIMEOUT_MS = 86_400_000;

/** @throws DatabaseUnavailable with `mayHaveHappened` when the connection is lost before the answer came */
async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const { command } = await client.query("COMMIT");
    // After a failed statement the server answers COMMIT with ROLLBACK, and no error.
    if (command !== "COMMIT") throw new Error("a transaction went on after one of its statements had failed");
  } catch (thrown) {
    const away = asUnavailable(thrown);
    throw away ? new DatabaseUnavailable(away.message, thrown, true) : thrown;
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}
