import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Mutex } from "../db/mutex.ts";
import { createApp } from "./app.ts";
import { bulkExecutor } from "./bulk/executor.ts";
import type { CheckerOptions } from "./checker/checker.ts";
import { startChecker } from "./checker/run.ts";
import { type Config, originOf } from "./config.ts";
import { Gate } from "./contract/admit.ts";
import type { Services } from "./contract/call.ts";
import type { Executor } from "./contract/executor.ts";
import { liveEngines } from "./engines/live/engines.ts";
import { gapsOf } from "./engines/live/providers.ts";
import { FaultSwitch } from "./engines/sandbox/faults.ts";
import { sandboxEngines } from "./engines/sandbox/sandbox.ts";
import { followAnchor } from "./follow.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { createHttp } from "./http.ts";
import { type Instance, openInstance } from "./instance.ts";
import type { Log } from "./log.ts";
import { createMailer } from "./mail/mail.ts";
import { loadPayments } from "./payments/open.ts";
import { startReconciler } from "./reconciler.ts";

/** How long calls in hand may take after a stop before their connections are cut. */
const GRACE_MS = 10_000;

/** The bulk thread moves the write-ahead log into the file every second; this is the net below it. */
const CHECKPOINT_PAGES = 20_000;

/** A service that answers: server, checker and database of one process. */
export interface Service {
  readonly instance: Instance;
  /** Origin to reach it by on this machine. */
  readonly address: string;
  /** Finishes the calls and steps in hand, writes what was counted, and closes the database. */
  stop(): Promise<void>;
}

/** @throws Error when the database does not fit the settings, or the port is in use */
export async function startService(settings: Config, log: Log): Promise<Service> {
  const lock = new Mutex();
  const { db, clock } = await openInstance(settings, { lock, checkpointPages: CHECKPOINT_PAGES });
  const server = createServer();
  let openPayments: Awaited<ReturnType<typeof loadPayments>>;
  try {
    openPayments = await loadPayments(settings, log);
    await listen(server, settings);
  } catch (thrown) {
    await db.close();
    throw thrown;
  }
  const http = createHttp(settings);
  const config = listening(settings, server);
  const payments = openPayments({ db, clock, config, log });
  const services = { db, clock, config, http, payments };
  const checker = startChecker({ db, clock, log, scale: () => clock.anchor.scale, ...enginesOf(services) });
  const unfollow = followAnchor(services, checker.wake);
  if (settings.mode === "live") for (const gap of gapsOf(settings)) log.warn({}, gap);
  const bulk = bulkExecutor(services, lock);
  const stopHousekeeping = startHousekeeping(services, log);
  const stopReconciler = startReconciler(payments, { db, clock, config, log });
  const gate = new Gate(db, clock, services.config);
  const mailer = createMailer(services.config, log);
  const stopping = new AbortController();
  const executor = waking(bulk, checker.wake);
  createApp({ ...services, log, mailer, server, gate, executor, stopping: stopping.signal });

  return {
    instance: services,
    address: originOf(services.config.host, services.config.port),
    async stop() {
      stopping.abort();
      await closeServer(server);
      unfollow();
      await bulk.stop();
      await checker.stop();
      await http.close();
      await mailer.stop();
      await stopHousekeeping();
      await stopReconciler();
      await gate.flush();
      await db.close();
    },
  };
}

/** The embedded engines, or the real ones: those mostly wait for others, so that many steps can be in hand. */
function enginesOf({ db, clock, config, http }: Services): Pick<CheckerOptions, "engines" | "atOnce"> {
  if (config.mode === "live") return { engines: liveEngines({ db, clock, config, http }), atOnce: 64 };
  return { engines: sandboxEngines(new FaultSwitch(config.sandboxFaults, clock.service())) };
}

/** Tells the checker that there may be work: a call that changes something has ended. */
function waking(executor: Executor, wake: () => void): Executor {
  return {
    async run(work) {
      const answer = await executor.run(work);
      if (work.operation.effect !== "read") wake();
      return answer;
    },
  };
}

/** The settings with the port that was opened, which PORT 0 leaves to the system. */
function listening(config: Config, server: Server): Config {
  const { port } = server.address() as AddressInfo;
  const isDefault = config.siteUrl === originOf(config.host, config.port);
  return { ...config, port, siteUrl: isDefault ? originOf(config.host, port) : config.siteUrl };
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (thrown: NodeJS.ErrnoException) => reject(explained(thrown, host, port)));
    server.listen(port, host, () => resolve());
  });
}

function explained(thrown: NodeJS.ErrnoException, host: string, port: number): Error {
  if (thrown.code === "EADDRINUSE") {
    return new Error(`Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`);
  }
  if (thrown.code === "EACCES")
    return new Error(`Port ${port} may not be opened by this user. Set PORT to another one.`);
  if (thrown.code === "EADDRNOTAVAIL" || thrown.code === "ENOTFOUND") {
    return new Error(`HOST ${host} is not an address of this machine.`);
  }
  return thrown;
}

/** Takes no new connections, and waits for the calls in hand. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
