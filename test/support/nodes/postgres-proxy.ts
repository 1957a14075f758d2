import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Between a process and PostgreSQL: what a network can do to the two. */
export interface PostgresProxy {
  /** The URL, by way of this proxy. */
  through(url: string): string;
  /** Connections that are open now. */
  readonly open: number;
  /** Connections that were refused because of a cut. */
  readonly refused: number;
  /** Ends all connections, and every new one at once. */
  cut(): void;
  /** Swallows nothing and passes nothing on: both ends wait. */
  stall(): void;
  /** Ms by which everything comes later, each way. */
  delay(ms: number): void;
  /** All is well again; what was stalled arrives. */
  heal(): void;
  /**
   * Breaks the connection of the next transaction in which `names` was said, at its COMMIT: before the server hears it,
   * or after it has done it and before its answer arrives. Resolves when it was done.
   */
  loseCommit(names: string, when: "before" | "after"): Promise<void>;
  close(): Promise<void>;
}

interface Loss {
  readonly names: string;
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
  let state: "well" | "cut" | "stalled" = "well";
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
    let said = "";
    /** Whether the answers of the server are thrown away, until the connection is broken. */
    let isDeaf = false;
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    pass(client, async (chunk) => {
      const text = chunk.toString("latin1");
      if (text.includes("BEGIN ISOLATION")) said = "";
      said += text;
      if (loss && text.includes("COMMIT\0") && said.includes(loss.names)) {
        const { when, done } = loss;
        loss = null;
        if (when === "after") {
          isDeaf = true;
          upstream.write(chunk);
          await once(upstream, "data");
        }
        end();
        return done();
      }
      upstream.write(chunk);
    });
    pass(upstream, async (chunk) => {
      if (!isDeaf) client.write(chunk);
    });
  });

  /** In order, however late. */
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
      state = "well";
      delayMs = 0;
      healed.resolve();
    },
    loseCommit: (names, when) =>
      new Promise((done) => {
        loss = { names, when, done };
      }),
    async close() {
      healed.resolve();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
