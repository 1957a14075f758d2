import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";
import type { Meeting, Reader, Tx } from "../engine.ts";
import type { PostgresOptions } from "./connection.ts";
import { asUnavailable, isConflict, wasDead } from "./error-codes.ts";
import { Turns } from "./serialize.ts";

const RETRY_MS = 20_000;
/** Pauses between tries grow up to this, in ms. */
const MOST_MS = 100;

const BEGIN = {
  alone: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE",
  guarded: "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE",
  claim: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
  glance: "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL statement_timeout = 5000",
  moment: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0",
} as const;

/** The turn of those that have failed by a conflict and have none of their own; no account is called so. */
const AGAIN = "";

/**
 * Runs transactions, again where they have to be. Of those with a turn, this process has one at a time under way, so that
 * they meet only those of other processes and take one connection, however many wait. The first try of any other runs
 * beside all; once it has failed by a conflict it waits its turn with its likes, so that they come one by one instead of
 * starving each other.
 */
export class Transactions {
  readonly #pool: pg.Pool;
  readonly #handles = new WeakMap<pg.PoolClient, Tx>();
  readonly #handleOf: (client: pg.PoolClient) => Tx;
  readonly #retryMs: number;
  readonly #turns = new Turns();
  #retried = 0;

  constructor(
    pool: pg.Pool,
    handleOf: (client: pg.PoolClient) => Tx,
    { retryMs = RETRY_MS }: Pick<PostgresOptions, "retryMs"> = {},
  ) {
    this.#pool = pool;
    this.#retryMs = retryMs;
    this.#handleOf = handleOf;
  }

  /** How often a transaction was run again, since the start. */
  get retried(): number {
    return this.#retried;
  }

  /** As if nobody else were there. @throws DatabaseUnavailable */
  async run<T>(work: (tx: Tx) => Promise<T>, { turn, guarded = false }: Meeting = {}): Promise<T> {
    const deadline = performance.now() + this.#retryMs;
    const begin = guarded ? BEGIN.guarded : BEGIN.alone;
    const attempt = () => this.#attempt(begin, (client) => this.#withHandle(client, work));
    if (turn !== undefined) return this.#turns.run(turn, () => this.#repeat(attempt, 1, deadline));
    try {
      return await attempt();
    } catch (thrown) {
      if (!isConflict(thrown, 1)) throw asUnavailable(thrown) ?? thrown;
    }
    return this.#turns.run(AGAIN, () => this.#repeat(attempt, 2, deadline));
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
      await sleep(Math.random() * Math.min(MOST_MS, 2 ** tries));
    }
    throw new DatabaseUnavailable("Too many others were changing the same.", last);
  }

  /** One moment of the whole database, for as long as it takes. @throws DatabaseUnavailable */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#once(BEGIN.moment, (client) => this.#withHandle(unhurried(client), work));
  }

  /** Statements that may not take long, each of its own moment. @throws DatabaseUnavailable */
  glance<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#once(BEGIN.glance, (client) => this.#withHandle(client, work));
  }

  /** A statement that locks what it takes itself. @throws DatabaseUnavailable */
  claim<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#once(BEGIN.claim, work);
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
      // The server rolls back what loses its connection; to ask for it over one that is silent would take as long again.
      broken = asUnavailable(thrown) !== null || !(await rolledBack(client));
      throw thrown;
    } finally {
      client.release(broken);
    }
  }

  /** A connection that died while it idled says so at its first use: nothing has happened then, and another is taken. */
  async #begin(text: string): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries++) {
      const client = await this.#pool.connect();
      try {
        await client.query(text);
        return client;
      } catch (thrown) {
        client.release(true);
        if (tries > this.#pool.options.max || !wasDead(thrown)) throw thrown;
      }
    }
  }

  async #withHandle<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
    let made = this.#handles.get(client);
    if (!made) {
      made = this.#handleOf(client);
      this.#handles.set(client, made);
    }
    const handle = Proxy.revocable(made, {});
    try {
      return await work(handle.proxy);
    } finally {
      handle.revoke();
    }
  }
}

/** Over the same connection, without the client's own limit (connection.ts), which would end what the server would not. */
function unhurried(client: pg.PoolClient): pg.PoolClient {
  const query = (asked: string | pg.QueryConfig, ...rest: unknown[]) => {
    const given = typeof asked === "string" ? { text: asked } : asked;
    return (client.query as (...given: unknown[]) => unknown).call(
      client,
      { ...given, query_timeout: LONG_MS },
      ...rest,
    );
  };
  return { query } as unknown as pg.PoolClient;
}

/** A limit that is none; pg takes 0 for not given. */
const LONG_MS = 86_400_000;

/** @throws DatabaseUnavailable with `mayHaveHappened` when the connection is lost before the answer came */
async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const { command } = await client.query("COMMIT");
    // A transaction that an error has ended is rolled back by COMMIT, without another word.
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
