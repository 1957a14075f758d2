import type { Services } from "../contract/call.ts";
import type { CheckerOptions } from "../indexing/checker/checker.ts";
import { liveEngines } from "../indexing/engines/live/engines.ts";
import { FaultInjector } from "../indexing/engines/sandbox/faults.ts";
import { sandboxEngines } from "../indexing/engines/sandbox/sandbox.ts";

/**
 * The sandbox engines, or the live ones. Steps of live engines mostly wait for providers, so many run at once.
 * @throws Error naming a setting that cannot be used
 */
export function enginesOf({
  db,
  clock,
  config,
  http,
}: Pick<Services, "db" | "clock" | "config" | "http">): Pick<CheckerOptions, "engines" | "concurrency"> {
  if (config.mode === "live") return { engines: liveEngines({ db, clock, config, http }), concurrency: 64 };
  return { engines: sandboxEngines(new FaultInjector(config.sandboxFaults, clock.service())) };
}
