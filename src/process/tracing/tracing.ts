import type { Tracer } from "../../platform/telemetry.ts";

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends the remaining spans, waiting a few seconds at most. */
  stop(): Promise<void>;
}
