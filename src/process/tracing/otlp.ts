import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, type NodeTracerConfig, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { SECOND } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Attributes, NewSpan, Tracer } from "../../platform/telemetry.ts";
import { version } from "../../platform/version.ts";
import type { Log } from "../log.ts";
import { logExportFailures } from "./export-failures.ts";
import type { Tracing } from "./tracing.ts";

/** How long a collector may take over a batch; one that is away takes nothing from the service but its traces. */
const EXPORT_MS = 5 * SECOND;
/** How often spans are sent. */
const EVERY_MS = 2 * SECOND;

interface Collector {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly nodeName: string;
}

/**
 * Spans over OTLP/HTTP. Nothing of it is registered for the whole process: the span that is open is known here alone, so
 * that several services can run in one. Headers, sampler and limits of the exporter are OpenTelemetry's own settings.
 */
export function otlpTracing({ endpoint, serviceName, nodeName }: Collector, log: Pick<Log, "warn" | "info">): Tracing {
  const bare = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_MS });
  const exporter = logExportFailures(bare, new URL(endpoint).host, log);
  const provider = new NodeTracerProvider({
    resource: resourceOf({ "service.name": serviceName, "service.version": version, "service.instance.id": nodeName }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, { scheduledDelayMillis: EVERY_MS, exportTimeoutMillis: EXPORT_MS }),
    ],
  });
  const otelTracer = provider.getTracer("beckon", version);
  const open = new AsyncLocalStorage<Context>();

  const tracer: Tracer = {
    async span({ kind, name, attributes, traceparent }, work) {
      const parent = open.getStore() ?? contextOf(traceparent);
      const span = otelTracer.startSpan(name, { kind: KINDS[kind], attributes: named(attributes) }, parent);
      try {
        return await open.run(trace.setSpan(parent, span), () => work((more) => void span.setAttributes(named(more))));
      } catch (thrown) {
        // What was refused was done as it should be; what else is thrown may hold anything, and stands in the log.
        if (thrown instanceof Refusal) span.setAttribute("beckon.outcome", thrown.code);
        else span.setStatus({ code: SpanStatusCode.ERROR });
        throw thrown;
      } finally {
        span.end();
      }
    },
  };
  // A collector that is away has its traces lost, and nobody is kept waiting for it.
  const stop = async () => {
    await provider.shutdown().catch(() => undefined);
    // It would slow every promise of the process down for good (db/transaction-scope.ts).
    open.disable();
  };
  return { tracer, stop };
}

const KINDS: Readonly<Record<NewSpan["kind"], SpanKind>> = {
  request: SpanKind.SERVER,
  call: SpanKind.INTERNAL,
  step: SpanKind.CONSUMER,
  transaction: SpanKind.CLIENT,
};

function named(attributes: Attributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [SEMANTIC_NAMES[name] ?? `beckon.${name}`, value]),
  );
}

/** OpenTelemetry's own names, where it has one (semantic conventions for HTTP and databases). */
const SEMANTIC_NAMES: Readonly<Record<string, string>> = {
  method: "http.request.method",
  status: "http.response.status_code",
  dialect: "db.system.name",
};

/** W3C Trace Context, section 3.2. What cannot be read is as if it were not there. */
function contextOf(traceparent: string | undefined): Context {
  const found = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/.exec(traceparent ?? "");
  if (!found) return ROOT_CONTEXT;
  const [, traceId = "", spanId = "", flags = ""] = found;
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

/** What the spans are of. */
function resourceOf(attributes: Record<string, string>): NonNullable<NodeTracerConfig["resource"]> {
  const resource: NonNullable<NodeTracerConfig["resource"]> = {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: () => resource,
  };
  return resource;
}
