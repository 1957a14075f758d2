import type { Config } from "../../platform/config/config.ts";
import { NO_TRACER, type Tracer } from "../../platform/telemetry.ts";
import type { Log } from "../log.ts";

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is not sent yet, in a few seconds or not at all. */
  stop(): Promise<void>;
}

/** Traces to the collector of the settings; without one, none, and nothing of OpenTelemetry is loaded. */
export async function openTracing(
  { tracing, nodeName }: Pick<Config, "tracing" | "nodeName">,
  log: Pick<Log, "warn" | "info">,
): Promise<Tracing> {
  if (!tracing) return { tracer: NO_TRACER, stop: async () => undefined };
  const { otlpTracing } = await import("./otlp.ts");
  return otlpTracing({ ...tracing, nodeName }, log);
}
