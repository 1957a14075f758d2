import type { Services } from "../contract/call.ts";
import type { CheckerOptions } from "../indexing/checker/checker.ts";
import { startChecker } from "../indexing/checker/start.ts";
import { liveEngines } from "../indexing/engines/live/engines.ts";
import { gapsOf } from "../indexing/engines/live/providers.ts";
import { FaultSwitch } from "../indexing/engines/sandbox/faults.ts";
import { sandboxEngines } from "../indexing/engines/sandbox/sandbox.ts";
import type { Tracer } from "../platform/telemetry.ts";
import { startHousekeeping } from "./housekeeping.ts";
import type { Instance } from "./instance.ts";
import type { Log } from "./log.ts";
import { startReconciler } from "./reconciler.ts";

/** How often a process looks whether others have left it something to do. */
const LOOK_MS = 2_000;

/** What a process does by itself. */
interface Work {
  /** There may be something to do. */
  wake(): void;
  stop(): Promise<void>;
}

export const NO_WORK: Work = { wake: () => undefined, stop: async () => undefined };

export interface WorkParts {
  readonly services: Services & Instance;
  readonly log: Log;
  readonly tracer: Tracer;
}

/** The checker and the rounds. */
export function startWork({ services, log, tracer }: WorkParts, tuning: Pick<CheckerOptions, "leaseMs">): Work {
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

/** The embedded engines, or the real ones: those mostly wait for others, so that many steps can be in hand. */
function enginesOf({ db, clock, config, http }: Services): Pick<CheckerOptions, "engines" | "atOnce"> {
  if (config.mode === "live") return { engines: liveEngines({ db, clock, config, http }), atOnce: 64 };
  return { engines: sandboxEngines(new FaultSwitch(config.sandboxFaults, clock.service())) };
}
