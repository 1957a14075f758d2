import pg from "pg";
import { sqlStateOf } from "./error-codes.ts";

/** How long the pool stays small after the server refused a connection, in ms. */
const SHRUNK_MS = 1_000;

/**
 * A pool that shrinks to the number of connections that the server allows. When the server refuses one
 * (too_many_connections), the caller waits for an open connection of the pool, as in a full pool. It gets the refusal only if
 * there is no open connection, or none becomes free in time.
 */
export class ShrinkingPool extends pg.Pool {
  readonly #most: number;
  #connecting = 0;
  /** The server's last refusal, while the pool is shrunk because of it. */
  #shrunk: { readonly reason: unknown; readonly until: number } | null = null;

  constructor(config: pg.PoolConfig) {
    const observer = {
      begins: () => void this.#connecting++,
      ends: (thrown: unknown) => this.#ended(thrown),
    };
    // Reported by the client, because the pool opens its next connection before its own events are emitted.
    super({ ...config, Client: observedClient(observer) });
    this.#most = this.options.max;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (thrown) => callback(thrown, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#shrunk && performance.now() >= this.#shrunk.until) this.#grow();
    const deadline = performance.now() + (this.options.connectionTimeoutMillis ?? 0);
    for (let tries = 1; ; tries++) {
      try {
        return await super.connect();
      } catch (thrown) {
        if (!isRefusal(thrown)) throw (isTimeUp(thrown) && this.#shrunk?.reason) || thrown;
        // Connections that were being opened at the same time may have succeeded.
        const mayBeServed = this.#open > 0 || (this.#connecting > 0 && tries === 1);
        if (!mayBeServed || performance.now() >= deadline) throw thrown;
      }
    }
  }

  /** Open connections, in use or idle. */
  get #open(): number {
    return this.totalCount - this.#connecting;
  }

  #ended(thrown: unknown): void {
    if (isRefusal(thrown)) {
      this.options.max = Math.max(1, this.#open);
      this.#shrunk = { reason: thrown, until: performance.now() + SHRUNK_MS };
    }
    this.#connecting--;
  }

  #grow(): void {
    this.options.max = this.#most;
    this.#shrunk = null;
  }
}

/** SQLSTATE too_many_connections: a limit of the server, the database or the role. */
function isRefusal(thrown: unknown): boolean {
  return sqlStateOf(thrown) === "53300";
}

/** The pool's own error for a caller that has waited too long in its queue. */
function isTimeUp(thrown: unknown): boolean {
  return thrown instanceof Error && /timeout exceeded when trying to connect/.test(thrown.message);
}

interface ConnectObserver {
  begins(): void;
  ends(thrown: unknown): void;
}

/** A client class that reports its connection attempts. Only the pool creates such clients, and connects them with a callback. */
function observedClient(observer: ConnectObserver): NonNullable<pg.PoolConfig["Client"]> {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (thrown: Error) => void): void;
    override connect(callback?: (thrown: Error) => void): Promise<pg.Client> | undefined {
      observer.begins();
      super.connect((thrown: Error) => {
        observer.ends(thrown);
        callback?.(thrown);
      });
      return undefined;
    }
  };
}
