import type { Config } from "../../platform/config/config.ts";
import { NO_TRACER } from "../../platform/telemetry.ts";
import type { Log } from "../log.ts";
import type { Tracing } from "./tracing.ts";

/**
 * Opens tracing to the configured collector. Without a collector there are no traces, and OpenTelemetry is not
 * loaded.
 */
export async function openTracing(
  { tracing, nodeName }: Pick<Config, "tracing" | "nodeName">,
  log: Pick<Log, "warn" | "info">,
): Promise<Tracing> {
  if (!tracing) return { tracer: NO_TRACER, stop: async () => undefined };
  const { otlpTracing } = await import("./otlp.ts");
  return otlpTracing({ ...tracing, nodeName }, log);
}
