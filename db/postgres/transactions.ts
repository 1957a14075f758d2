import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Reader, Tx } from "../engine.ts";
import { DatabaseUnavailable } from "../failures.ts";
import { Mutex } from "../mutex.ts";
import { asUnavailable, isConflict } from "./codes.ts";

/** How long a transaction is tried again that others keep getting in the way of, in ms. */
const PATIENCE_MS = 20_000;
/** Pauses between tries grow up to this, in ms. */
const MOST_MS = 100;

const BEGIN = {
  alone: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE",
  claim: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
  moment: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0",
} as const;

/**
 * Runs transactions, again where they have to be. The first try of each runs beside all others; one that has failed by
 * a conflict waits its turn with its likes, so that those who want the same row come one by one instead of starving
 * each other.
 */
export class Transactions {
  readonly #pool: pg.Pool;
  readonly #handles = new WeakMap<pg.PoolClient, Tx>();
  readonly #handleOf: (client: pg.PoolClient) => Tx;
  readonly #again = new Mutex();

  constructor(pool: pg.Pool, handleOf: (client: pg.PoolClient) => Tx) {
    this.#pool = pool;
    this.#handleOf = handleOf;
  }

  /** As if nobody else were there. @throws DatabaseUnavailable */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    const attempt = () => this.#attempt(BEGIN.alone, (client) => this.#withHandle(client, work));
    try {
      return await attempt();
    } catch (thrown) {
      if (!isConflict(thrown, 1)) throw asUnavailable(thrown) ?? thrown;
    }
    return this.#again.run(async () => {
      for (let tries = 2; ; tries++) {
        try {
          return await attempt();
        } catch (thrown) {
          if (!isConflict(thrown, tries)) throw asUnavailable(thrown) ?? thrown;
          if (performance.now() > deadline) {
            throw new DatabaseUnavailable("Too many others were changing the same.", thrown);
          }
        }
        await sleep(Math.random() * Math.min(MOST_MS, 2 ** tries));
      }
    });
  }

  /** One moment of the whole database, for as long as it takes. @throws DatabaseUnavailable */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#once(BEGIN.moment, (client) => this.#withHandle(client, work));
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
      broken = !(await rolledBack(client)) || asUnavailable(thrown) !== null;
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
        if (tries > this.#pool.options.max || !asUnavailable(thrown)) throw thrown;
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
