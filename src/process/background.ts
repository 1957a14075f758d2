import type { Services } from "../contract/call.ts";
import { inlineExecutor } from "../contract/executor.ts";
import type { Mailer } from "../domain/mail/mailer.ts";
import type { CheckerOptions } from "../indexing/checker/checker.ts";
import { startChecker } from "../indexing/checker/start.ts";
import { gapsOf } from "../indexing/engines/live/providers.ts";
import { startWatcher } from "../indexing/watches/watcher.ts";
import type { Tracer } from "../platform/telemetry.ts";
import { startConnectionTender } from "./connection-tender.ts";
import { startCoverage } from "./coverage.ts";
import { startDigests } from "./digests.ts";
import { enginesOf } from "./engines.ts";
import { startExporter } from "./exporter.ts";
import { startHousekeeping } from "./housekeeping.ts";
import type { Instance } from "./instance.ts";
import type { Log } from "./log.ts";
import { startNotifier } from "./notifier.ts";
import { startRangeReader } from "./range-reader.ts";
import { startReconciler } from "./reconciler.ts";
import { startTaskResumer } from "./task-resumer.ts";
import { wakeAfterCalls } from "./wake-after-calls.ts";

/** How often the checker looks for work that other processes have queued. */
const POLL_MS = 2_000;

/** The background work of a process: checker, housekeeping and reconciler. */
interface BackgroundWork {
  /** Tells the checker that there may be something to do. */
  wake(): void;
  stop(): Promise<void>;
}

export const NO_BACKGROUND_WORK: BackgroundWork = { wake: () => undefined, stop: async () => undefined };

export interface BackgroundDeps {
  readonly services: Services & Instance;
  readonly mailer: Mailer;
  readonly log: Log;
  readonly tracer: Tracer;
}

/** Starts the checker and the recurring jobs. */
export function startBackgroundWork(
  { services, mailer, log, tracer }: BackgroundDeps,
  tuning: Pick<CheckerOptions, "leaseMs">,
): BackgroundWork {
  const { db, clock, config, payments } = services;
  const scale = () => clock.anchor.scale;
  const checker = startChecker({
    db,
    clock,
    log,
    scale,
    tracer,
    ...enginesOf(services),
    ...tuning,
  });
  if (config.mode === "live") for (const gap of gapsOf(config)) log.warn({}, gap);
  // A submission to another process does not wake this checker.
  const poll = setInterval(checker.wake, POLL_MS).unref();
  const stopHousekeeping = startHousekeeping({ ...services, mailer }, log, config.nodeName);
  const stopDigests = startDigests({ ...services, mailer }, log);
  const stopNotifier = startNotifier({ ...services, mailer }, log);
  const stopCoverage = startCoverage(services, log);
  const stopExporter = startExporter({ db, clock, config, mailer }, log);
  const stopTaskResumer = startTaskResumer(services, wakeAfterCalls(inlineExecutor(services), checker.wake), log);
  const stopWatcher = startWatcher(services, log);
  const stopRangeReader = startRangeReader(services, log);
  const stopConnectionTender = startConnectionTender(services, log);
  const stopReconciler = startReconciler(payments, { db, clock, config, log }, config.nodeName);
  return {
    wake: checker.wake,
    async stop() {
      clearInterval(poll);
      await Promise.all([
        checker.stop(),
        stopHousekeeping(),
        stopDigests(),
        stopCoverage(),
        stopExporter(),
        stopNotifier(),
        stopTaskResumer(),
        stopWatcher(),
        stopRangeReader(),
        stopConnectionTender(),
        stopReconciler(),
      ]);
    },
  };
}
