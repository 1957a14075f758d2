import type { Tracer } from "../../platform/telemetry.ts";

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends the remaining spans, and waits a few seconds for that at most. */
  stop(): Promise<void>;
}
