import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { RequestGuard } from "../contract/authenticate.ts";
import { startMail } from "../domain/mail/mail.ts";
import { loadPayments } from "../domain/payments/open.ts";
import type { CheckerOptions } from "../indexing/checker/checker.ts";
import { Mutex } from "../platform/concurrency.ts";
import { type Config, originOf } from "../platform/config/config.ts";
import { secretBoxOf } from "../platform/config/secrets-key.ts";
import { createHttpClient } from "../platform/http-client/http-client.ts";
import { bothTracers } from "../platform/telemetry.ts";
import { InFlightResponses } from "../surfaces/http-server/in-flight.ts";
import { createApp, httpServer } from "./app.ts";
import { type BackgroundDeps, NO_BACKGROUND_WORK, startBackgroundWork } from "./background.ts";
import { bulkExecutor } from "./bulk/executor.ts";
import { refuseUnusableSettings } from "./check-settings.ts";
import { syncClock } from "./clock-sync.ts";
import { healthHandlers, type OpsHandler } from "./health/handler.ts";
import { ReadinessProbe } from "./health/readiness.ts";
import { advanceClock, type Instance, openInstance, tryToWrite } from "./instance.ts";
import { closeServer, listen, withOpenedPort } from "./listen.ts";
import type { Log } from "./log.ts";
import { metricsHandler } from "./metrics/handler.ts";
import { Metrics } from "./metrics/metrics.ts";
import { serveOps } from "./ops-server.ts";
import { Outage } from "./outage.ts";
import { openTracing } from "./tracing/open.ts";
import { tracedEngine } from "./tracing/traced.ts";
import type { Tracing } from "./tracing/tracing.ts";
import { wakeAfterCalls } from "./wake-after-calls.ts";

/** How long the start waits for an unavailable database. */
const DATABASE_WAIT_MS = 60_000;

/**
 * Size of the write-ahead log at which commits write a checkpoint. Below it, the bulk thread does so every second.
 */
const CHECKPOINT_PAGES = 20_000;

/** A running service: server, background work and database of one process. */
export interface Service {
  readonly instance: Instance;
  /** Its origin on this machine. */
  readonly address: string;
  /** Finishes the calls and steps under way, writes the counts, and closes the database. */
  stop(): Promise<void>;
}

/** `leaseMs`: for tests, which cannot wait for minutes. */
interface StartOptions extends Pick<CheckerOptions, "leaseMs"> {
  /** Called just before callers can connect, which is before the start is over. */
  readonly beforeListening?: () => void;
}

/**
 * @throws Error when the database does not fit the settings, or the port is in use
 */
export async function startService(
  settings: Config,
  baseLog: Log,
  { beforeListening, ...tuning }: StartOptions = {},
): Promise<Service> {
  const lock = new Mutex();
  const instance = await openInstance(settings, {
    migrates: true,
    setsClock: true,
    onStep: (step) => baseLog.info({}, step),
    lock,
    checkpointPages: settings.checkpoints ? CHECKPOINT_PAGES : 0,
    waitMs: DATABASE_WAIT_MS,
    onWaiting: (reason) => baseLog.warn({}, reason),
  });
  const outage = new Outage(baseLog, () => tryToWrite(instance.db));
  const { log, requestLog } = outage;
  const server = httpServer();
  let openPayments: Awaited<ReturnType<typeof loadPayments>>;
  let tracing: Tracing;
  try {
    await refuseUnusableSettings(instance);
    openPayments = await loadPayments(settings, { db: instance.db, log });
    tracing = await openTracing(settings, log);
    beforeListening?.();
    await listen(server, settings);
  } catch (thrown) {
    await instance.db.close();
    throw thrown;
  }
  const config = withOpenedPort(settings, server);
  const { clock } = instance;
  const metrics = new Metrics({ ...instance, config });
  const tracer = config.tracing ? bothTracers(tracing.tracer, metrics.tracer) : metrics.tracer;
  const db = config.tracing ? tracedEngine(instance.db, tracer) : instance.db;
  const http = createHttpClient(config);
  const services = { db, clock, config, http, payments: openPayments({ db, clock, config, log }) };
  const ready = new ReadinessProbe(db, { isRefusing: () => outage.isOn });
  const inFlight = new InFlightResponses();
  const ops = { ...healthHandlers(ready), "/metrics": metricsHandler(metrics, config) };
  const mail = await startMail(config, { db, now: () => clock.now(), secretBox: secretBoxOf(config), log });
  const { mailer } = mail;
  const deps: ServiceDeps = { services, mailer, log, requestLog, lock, server, tracer, inFlight, ops };
  const background = config.role === "serve" ? NO_BACKGROUND_WORK : startBackgroundWork(deps, tuning);
  const stopClockSync = syncClock(services, background.wake);
  const handling = config.role === "work" ? handleOpsOnly(deps) : startRequestHandling(deps, background.wake);

  return {
    instance: services,
    address: originOf(services.config.host, services.config.port),
    async stop() {
      ready.stop();
      inFlight.end();
      // Other nodes do the background work from now on.
      const backgroundStopped = background
        .stop()
        .catch((err) => log.error({ err }, "background work did not stop cleanly"));
      await sleep(config.drainMs);
      handling.drain();
      // A step that fails does not keep the others from running. The database is closed in any case.
      const steps: readonly (readonly [what: string, stop: () => Promise<unknown>])[] = [
        ["server", () => closeServer(server)],
        ["background work", () => backgroundStopped],
        ["bulk thread", handling.stop],
        ["mail", () => mail.stop()],
        ["outgoing connections", () => http.close()],
        ["counts", handling.flush],
        ["traces", tracing.stop],
      ];
      stopClockSync();
      for (const [what, stop] of steps) await stop().catch((err) => log.error({ err, what }, "did not stop cleanly"));
      outage.stop();
      await db.close();
    },
  };
}

interface ServiceDeps extends BackgroundDeps {
  /** For errors of requests. Background work uses `log`. */
  readonly requestLog: Log;
  readonly lock: Mutex;
  readonly server: Server;
  readonly inFlight: InFlightResponses;
  readonly ops: Readonly<Record<string, OpsHandler>>;
}

/** The part of a process that answers callers. */
interface RequestHandling {
  /** Ends open streams. */
  drain(): void;
  stop(): Promise<void>;
  /** Writes the counts of requests. */
  flush(): Promise<void>;
}

function startRequestHandling(deps: ServiceDeps, wake: () => void): RequestHandling {
  const { services, mailer, log: backgroundLog, requestLog: log, lock, ...rest } = deps;
  const { db, clock, config } = services;
  const bulk = bulkExecutor(services, lock);
  const guard = new RequestGuard(db, clock, config);
  const stopping = new AbortController();
  const executor = wakeAfterCalls(bulk, wake);
  const advance = async (serviceAt: number) => {
    await advanceClock(services, serviceAt);
    // The checker's timer was set for the old clock.
    wake();
  };
  createApp({
    ...{ ...services, ...rest, log, backgroundLog, mailer, guard, executor, stopping: stopping.signal },
    ...(config.mode === "sandbox" ? { advanceClock: advance } : {}),
  });
  return {
    drain: () => stopping.abort(),
    stop: () => bulk.stop(),
    flush: () => guard.flush(),
  };
}

/** Serves health and metrics for a process that does only background work. */
function handleOpsOnly({ services, requestLog: log, server, ops, tracer, inFlight }: ServiceDeps): RequestHandling {
  serveOps(server, { ops, tracer, inFlight, log, siteUrl: services.config.siteUrl });
  return { drain: () => undefined, stop: async () => undefined, flush: async () => undefined };
}
