import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A proxy between a process and PostgreSQL that injects faults of the network. */
export interface PostgresProxy {
  /** @returns the URL with the address of this proxy */
  through(url: string): string;
  /** Number of open connections. */
  readonly open: number;
  /** Number of connections that were refused during a cut. */
  readonly refused: number;
  /** Ends all connections, and refuses new ones. */
  cut(): void;
  /** Holds all data back, in both directions. */
  stall(): void;
  /** Delays all data by so many ms, in both directions. */
  delay(ms: number): void;
  /** Ends all faults; data that were held back arrive. */
  heal(): void;
  /**
   * Breaks the connection of the next transaction whose statements contain `text`, at its COMMIT: before the server gets it,
   * or after the server has committed and before its answer arrives. Resolves once that has happened.
   */
  loseCommit(text: string, when: "before" | "after"): Promise<void>;
  close(): Promise<void>;
}

interface Loss {
  readonly text: string;
  readonly when: "before" | "after";
  done(): void;
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** @param port of the server, on this machine */
export async function startPostgresProxy(port: number): Promise<PostgresProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: "up" | "cut" | "stalled" = "up";
  let healed = deferred();
  let delayMs = 0;
  let refused = 0;
  let loss: Loss | null = null;

  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (state === "cut") {
      refused++;
      client.destroy();
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    upstream.on("error", () => client.destroy());
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    client.on("close", end);
    upstream.on("close", end);
    let statements = "";
    /** The answers of the server are dropped, until the connection is broken. */
    let dropsAnswers = false;
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    pass(client, async (chunk) => {
      const text = chunk.toString("latin1");
      if (text.includes("BEGIN ISOLATION")) statements = "";
      statements += text;
      if (loss && text.includes("COMMIT\0") && statements.includes(loss.text)) {
        const { when, done } = loss;
        loss = null;
        if (when === "after") {
          dropsAnswers = true;
          upstream.write(chunk);
          await once(upstream, "data");
        }
        end();
        return done();
      }
      upstream.write(chunk);
    });
    pass(upstream, async (chunk) => {
      if (!dropsAnswers) client.write(chunk);
    });
  });

  /** Passes data on in order, delayed as set. */
  function pass(from: Socket, on: (chunk: Buffer) => Promise<void>): void {
    let before = Promise.resolve();
    from.on("data", (chunk: Buffer) => {
      const late = delayMs > 0 ? sleep(delayMs) : null;
      before = before
        .then(() => late)
        .then(async () => {
          while (state === "stalled") await healed.promise;
          if (!from.destroyed) await on(chunk);
        })
        .catch(() => undefined);
    });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as { port: number };

  return {
    through(url) {
      const through = new URL(url);
      through.port = String(own);
      return through.href;
    },
    get open() {
      return pairs.size;
    },
    get refused() {
      return refused;
    },
    cut() {
      state = "cut";
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    stall() {
      if (state === "stalled") return;
      state = "stalled";
      healed = deferred();
    },
    delay(ms) {
      delayMs = ms;
    },
    heal() {
      state = "up";
      delayMs = 0;
      healed.resolve();
    },
    loseCommit: (text, when) =>
      new Promise((done) => {
        loss = { text, when, done };
      }),
    async close() {
      healed.resolve();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
