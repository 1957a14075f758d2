import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp } from "./app.ts";
import { startChecker } from "./checker/run.ts";
import { type Config, originOf } from "./config.ts";
import { FaultSwitch } from "./engines/sandbox/faults.ts";
import { sandboxEngines } from "./engines/sandbox/sandbox.ts";
import { followAnchor } from "./follow.ts";
import { type Instance, openInstance } from "./instance.ts";
import type { Log } from "./log.ts";

/** How long calls in hand may take after a stop before their connections are cut. */
const GRACE_MS = 10_000;

/** A service that answers: the server, the checker and the database of one process. */
export interface Service {
  readonly instance: Instance;
  /** Origin to reach it by on this machine. */
  readonly address: string;
  /** Finishes the calls and steps in hand, writes what is counted, and closes the database. */
  stop(): Promise<void>;
}

/** @throws Error when the database does not fit the settings or the port is in use */
export async function startService(settings: Config, log: Log): Promise<Service> {
  const server = createServer();
  const config = await listen(server, settings);
  const undo: (() => unknown)[] = [() => closeServer(server)];
  try {
    const instance = await openInstance(config);
    undo.unshift(() => instance.db.close());
  } catch (thrown) {
    for (const step of undo) await step();
    throw thrown;
  }
  throw new Error("todo");
}
