import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
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
import { healthHandlers, type OpsHandler } from "./health/handler.ts";
import { Ready } from "./health/readiness.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { createHttp } from "./http.ts";
import { type Instance, openInstance } from "./instance.ts";
import type { Log } from "./log.ts";
import { createMailer } from "./mail/mail.ts";
import { metricsHandler } from "./metrics/handler.ts";
import { Metrics } from "./metrics/metrics.ts";
import { serveOps } from "./ops-server.ts";
import { loadPayments } from "./payments/open.ts";
import { startReconciler } from "./reconciler.ts";
import { openTracing, type Tracing } from "./tracing/open.ts";
import { watchedEngine } from "./tracing/watched.ts";
import { bothWatch, type Watch } from "./watch.ts";
import { InHand } from "./web/in-hand.ts";

/** How long a database that is away is waited for at the start. */
const PATIENCE_MS = 60_000;

/** How often a process looks whether others have left it something to do. */
const LOOK_MS = 2_000;

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

/**
 * @param tuning for tests, which cannot wait for minutes
 * @throws Error when the database does not fit the settings, or the port is in use
 */
export async function startService(
  settings: Config,
  log: Log,
  tuning: Pick<CheckerOptions, "leaseMs"> = {},
): Promise<Service> {
  const lock = new Mutex();
  const waiting = (reason: string) => log.warn({}, reason);
  const whileAway = { patienceMs: PATIENCE_MS, waiting };
  const instance = await openInstance(settings, { lock, checkpointPages: CHECKPOINT_PAGES, ...whileAway });
  const server = createServer();
  let openPayments: Awaited<ReturnType<typeof loadPayments>>;
  let tracing: Tracing;
  try {
    openPayments = await loadPayments(settings, log);
    tracing = await openTracing(settings);
    await listen(server, settings);
  } catch (thrown) {
    await instance.db.close();
    throw thrown;
  }
  const config = listening(settings, server);
  const { clock } = instance;
  const metrics = new Metrics({ ...instance, config });
  const watch = config.tracing ? bothWatch(tracing.watch, metrics.watch) : metrics.watch;
  const db = config.tracing ? watchedEngine(instance.db, watch) : instance.db;
  const http = createHttp(config);
  const services = { db, clock, config, http, payments: openPayments({ db, clock, config, log }) };
  const ready = new Ready(db);
  const inHand = new InHand();
  const ops = { ...healthHandlers(ready), "/metrics": metricsHandler(metrics, config) };
  const parts: NodeParts = { services, log, lock, server, watch, inHand, ops };
  const work = config.role === "serve" ? NO_WORK : startWork(parts, tuning);
  const unfollow = followAnchor(services, work.wake);
  const answers = config.role === "work" ? answerOps(parts) : startAnswers(parts, work.wake);

  return {
    instance: services,
    address: originOf(services.config.host, services.config.port),
    async stop() {
      ready.stop();
      inHand.end();
      // Nothing new is begun here from now on, whoever else there is can have it.
      const worked = work.stop().catch((err) => log.error({ err }, "work in hand was not ended as it should be"));
      await sleep(config.drainMs);
      answers.end();
      // Each of them whatever becomes of the others: nothing may keep the database open.
      const steps: readonly (readonly [what: string, stop: () => Promise<unknown>])[] = [
        ["calls in hand", () => closeServer(server)],
        ["work in hand", () => worked],
        ["the thread for large calls", answers.stop],
        ["connections to others", () => http.close()],
        ["counts", answers.flush],
        ["traces", tracing.stop],
      ];
      unfollow();
      for (const [what, stop] of steps)
        await stop().catch((err) => log.error({ err, what }, "not ended as it should be"));
      await db.close();
    },
  };
}

interface NodeParts {
  readonly services: Services & Instance;
  readonly log: Log;
  readonly lock: Mutex;
  readonly server: Server;
  readonly watch: Watch;
  readonly inHand: InHand;
  readonly ops: Readonly<Record<string, OpsHandler>>;
}

/** What a process does by itself. */
interface Work {
  /** There may be something to do. */
  wake(): void;
  stop(): Promise<void>;
}

const NO_WORK: Work = { wake: () => undefined, stop: async () => undefined };

/** The checker and the rounds. */
function startWork({ services, log, watch }: NodeParts, tuning: Pick<CheckerOptions, "leaseMs">): Work {
  const { db, clock, config, payments } = services;
  const scale = () => clock.anchor.scale;
  const checker = startChecker({
    db,
    clock,
    log,
    scale,
    watch,
    node: config.nodeName,
    ...enginesOf(services),
    ...tuning,
  });
  if (config.mode === "live") for (const gap of gapsOf(config)) log.warn({}, gap);
  // What another process takes in wakes nobody here.
  const look = setInterval(checker.wake, LOOK_MS).unref();
  const stopHousekeeping = startHousekeeping(services, log, config.nodeName);
  const stopReconciler = startReconciler(payments, { db, clock, config, log }, config.nodeName);
  return {
    wake: checker.wake,
    async stop() {
      clearInterval(look);
      await Promise.all([checker.stop(), stopHousekeeping(), stopReconciler()]);
    },
  };
}

/** What answers callers, as far as it has to be ended. */
interface Answers {
  /** Open streams end, and what is asked to wait answers. */
  end(): void;
  stop(): Promise<void>;
  /** Writes what was counted. */
  flush(): Promise<void>;
}

function startAnswers(parts: NodeParts, wake: () => void): Answers {
  const { services, log, lock, ...rest } = parts;
  const { db, clock, config } = services;
  const bulk = bulkExecutor(services, lock);
  const gate = new Gate(db, clock, config);
  const mailer = createMailer(config, log);
  const stopping = new AbortController();
  const executor = waking(bulk, wake);
  createApp({ ...services, ...rest, log, mailer, gate, executor, stopping: stopping.signal });
  return {
    end: () => stopping.abort(),
    async stop() {
      await bulk.stop();
      await mailer.stop();
    },
    flush: () => gate.flush(),
  };
}

/** Of a process that only works, whoever runs it may ask how it is. */
function answerOps({ services, log, server, ops, watch, inHand }: NodeParts): Answers {
  serveOps(server, { ops, watch, inHand, log, siteUrl: services.config.siteUrl });
  return { end: () => undefined, stop: async () => undefined, flush: async () => undefined };
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
