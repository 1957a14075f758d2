import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { RequestGuard } from "../contract/authenticate.ts";
import type { Executor } from "../contract/executor.ts";
import { createMailer } from "../domain/mail/mail.ts";
import { loadPayments } from "../domain/payments/open.ts";
import type { CheckerOptions } from "../indexing/checker/checker.ts";
import { Mutex } from "../platform/concurrency.ts";
import { type Config, originOf } from "../platform/config/config.ts";
import { createHttpClient } from "../platform/http-client/http-client.ts";
import { bothTracers } from "../platform/telemetry.ts";
import { InFlightResponses } from "../surfaces/http-server/in-flight.ts";
import { createApp } from "./app.ts";
import { type BackgroundDeps, NO_BACKGROUND_WORK, startBackgroundWork } from "./background.ts";
import { bulkExecutor } from "./bulk/executor.ts";
import { syncClock } from "./clock-sync.ts";
import { healthHandlers, type OpsHandler } from "./health/handler.ts";
import { ReadinessProbe } from "./health/readiness.ts";
import { type Instance, openInstance, tryToWrite } from "./instance.ts";
import { closeServer, listen, listening } from "./listen.ts";
import type { Log } from "./log.ts";
import { metricsHandler } from "./metrics/handler.ts";
import { Metrics } from "./metrics/metrics.ts";
import { serveOps } from "./ops-server.ts";
import { Outage } from "./outage.ts";
import { openTracing } from "./tracing/open.ts";
import { tracedEngine } from "./tracing/traced.ts";
import type { Tracing } from "./tracing/tracing.ts";

/** How long a database that is away is waited for at the start. */
const DATABASE_WAIT_MS = 60_000;

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
  given: Log,
  tuning: Pick<CheckerOptions, "leaseMs"> = {},
): Promise<Service> {
  const lock = new Mutex();
  const instance = await openInstance(settings, {
    lock,
    checkpointPages: CHECKPOINT_PAGES,
    waitMs: DATABASE_WAIT_MS,
    onWaiting: (reason) => given.warn({}, reason),
  });
  const outage = new Outage(given, () => tryToWrite(instance.db));
  const { log } = outage;
  const server = createServer();
  let openPayments: Awaited<ReturnType<typeof loadPayments>>;
  let tracing: Tracing;
  try {
    openPayments = await loadPayments(settings, log);
    tracing = await openTracing(settings, log);
    await listen(server, settings);
  } catch (thrown) {
    await instance.db.close();
    throw thrown;
  }
  const config = listening(settings, server);
  const { clock } = instance;
  const metrics = new Metrics({ ...instance, config });
  const seen = bothTracers(metrics.tracer, outage.tracer);
  const tracer = config.tracing ? bothTracers(tracing.tracer, seen) : seen;
  const db = config.tracing ? tracedEngine(instance.db, tracer) : instance.db;
  const http = createHttpClient(config);
  const services = { db, clock, config, http, payments: openPayments({ db, clock, config, log }) };
  const ready = new ReadinessProbe(db);
  const inFlight = new InFlightResponses();
  const ops = { ...healthHandlers(ready), "/metrics": metricsHandler(metrics, config) };
  const parts: ServiceDeps = { services, log, lock, server, tracer, inFlight, ops };
  const work = config.role === "serve" ? NO_BACKGROUND_WORK : startBackgroundWork(parts, tuning);
  const unfollow = syncClock(services, work.wake);
  const answers = config.role === "work" ? handleOpsOnly(parts) : startRequestHandling(parts, work.wake);

  return {
    instance: services,
    address: originOf(services.config.host, services.config.port),
    async stop() {
      ready.stop();
      inFlight.end();
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
      outage.stop();
      await db.close();
    },
  };
}

interface ServiceDeps extends BackgroundDeps {
  readonly lock: Mutex;
  readonly server: Server;
  readonly inFlight: InFlightResponses;
  readonly ops: Readonly<Record<string, OpsHandler>>;
}

/** What answers callers, as far as it has to be ended. */
interface RequestHandling {
  /** Open streams end, and what is asked to wait answers. */
  end(): void;
  stop(): Promise<void>;
  /** Writes what was counted. */
  flush(): Promise<void>;
}

function startRequestHandling(parts: ServiceDeps, wake: () => void): RequestHandling {
  const { services, log, lock, ...rest } = parts;
  const { db, clock, config } = services;
  const bulk = bulkExecutor(services, lock);
  const guard = new RequestGuard(db, clock, config);
  const mailer = createMailer(config, log);
  const stopping = new AbortController();
  const executor = waking(bulk, wake);
  createApp({ ...services, ...rest, log, mailer, guard, executor, stopping: stopping.signal });
  return {
    end: () => stopping.abort(),
    async stop() {
      await bulk.stop();
      await mailer.stop();
    },
    flush: () => guard.flush(),
  };
}

/** Of a process that only works, whoever runs it may ask how it is. */
function handleOpsOnly({ services, log, server, ops, tracer, inFlight }: ServiceDeps): RequestHandling {
  serveOps(server, { ops, tracer, inFlight, log, siteUrl: services.config.siteUrl });
  return { end: () => undefined, stop: async () => undefined, flush: async () => undefined };
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
