import type { Tracer } from "../../platform/telemetry.ts";

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends the spans that are left, within a few seconds or not at all. */
  stop(): Promise<void>;
}
