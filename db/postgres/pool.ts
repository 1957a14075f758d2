import pg from "pg";
import { stateOf } from "./error-codes.ts";

/** How long the server's word that it takes no more connections is believed, in ms. */
const BELIEVED_MS = 1_000;

/**
 * A pool that is as large as the server lets it be. Who asks for a connection when the server takes no more
 * (too_many_connections) waits for one of the pool's own, as it would at a pool that is full, and is refused only where
 * there is none or none comes free in time.
 */
export class FittingPool extends pg.Pool {
  readonly #most: number;
  #connecting = 0;
  /** The server's last refusal, as long as the pool is kept to what it has. */
  #small: { readonly reason: unknown; readonly until: number } | null = null;

  constructor(config: pg.PoolConfig) {
    const told = {
      begins: () => void this.#connecting++,
      ends: (thrown: unknown) => this.#ended(thrown),
    };
    // It hears of a connection before the pool does, which at once makes the next one for who waits.
    super({ ...config, Client: clientTelling(told) });
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
    if (this.#small && performance.now() >= this.#small.until) this.#grow();
    const deadline = performance.now() + (this.options.connectionTimeoutMillis ?? 0);
    for (let tries = 1; ; tries++) {
      try {
        return await super.connect();
      } catch (thrown) {
        if (!isRefusal(thrown)) throw (isTimeUp(thrown) && this.#small?.reason) || thrown;
        // Those that were being made beside it may have been let in, or not.
        const mayBeServed = this.#open > 0 || (this.#connecting > 0 && tries === 1);
        if (!mayBeServed || performance.now() >= deadline) throw thrown;
      }
    }
  }

  /** Connections that are there, used or not. */
  get #open(): number {
    return this.totalCount - this.#connecting;
  }

  #ended(thrown: unknown): void {
    if (isRefusal(thrown)) {
      this.options.max = Math.max(1, this.#open);
      this.#small = { reason: thrown, until: performance.now() + BELIEVED_MS };
    }
    this.#connecting--;
  }

  #grow(): void {
    this.options.max = this.#most;
    this.#small = null;
  }
}

/** too_many_connections: of the server, the database or the role. */
function isRefusal(thrown: unknown): boolean {
  return stateOf(thrown) === "53300";
}

/** The pool's own words for who has waited in its queue. */
function isTimeUp(thrown: unknown): boolean {
  return thrown instanceof Error && /timeout exceeded when trying to connect/.test(thrown.message);
}

interface Told {
  begins(): void;
  ends(thrown: unknown): void;
}

/** The pool's clients are made by it alone, and connected with a callback. */
function clientTelling(told: Told): NonNullable<pg.PoolConfig["Client"]> {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (thrown: Error) => void): void;
    override connect(callback?: (thrown: Error) => void): Promise<pg.Client> | undefined {
      told.begins();
      super.connect((thrown: Error) => {
        told.ends(thrown);
        callback?.(thrown);
      });
      return undefined;
    }
  };
}
