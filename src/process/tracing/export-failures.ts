import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";

type Result = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

/**
 * An exporter that logs when batches begin to be lost and when they are delivered again, and nothing in between. Only
 * the code of a failure is logged, because the message comes from the collector and may hold tokens.
 */
export function logExportFailures(exporter: SpanExporter, host: string, log: Pick<Log, "warn" | "info">): SpanExporter {
  let lost = 0;
  const onResult = ({ code, error }: Result, spans: number) => {
    if (code === DELIVERED) {
      if (lost > 0) log.info({ collector: host, lost }, "traces are delivered again");
      lost = 0;
    } else {
      if (lost === 0)
        log.warn({ collector: host, problem: problemOf(error) }, "traces are not delivered, and are lost");
      lost += spans;
    }
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        onResult(result, spans.length);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** ExportResultCode.SUCCESS */
const DELIVERED = 0;

/** The HTTP status, the system's error code, or that no answer came in time. */
function problemOf(error: Error | undefined): string | number {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === "number" || (typeof code === "string" && /^[A-Z_]{1,40}$/.test(code))) return code;
  return "no answer";
}
