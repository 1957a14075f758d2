import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type TracerProviderOptions,
} from "@opentelemetry/sdk-trace";
import { SECOND } from "../../platform/clock.ts";
import type { TracingSettings } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Attributes, NewSpan, Tracer } from "../../platform/telemetry.ts";
import { version } from "../../platform/version.ts";
import type { Log } from "../log.ts";
import { logExportFailures } from "./export-failures.ts";
import type { Tracing } from "./tracing.ts";

/** How long the collector may take for a batch. A failing collector costs the service nothing but traces. */
const EXPORT_MS = 5 * SECOND;
/** How often spans are sent. */
const EVERY_MS = 2 * SECOND;

interface Collector extends TracingSettings {
  readonly nodeName: string;
  /** How long the collector may take for a batch, with all tries; default 5 s. */
  readonly exportMs?: number;
}

/**
 * Sends spans by OTLP/HTTP. Nothing is registered globally: the current span is kept here, so that several services
 * can run in one process. The library reads the headers of its exporter from the environment by itself.
 */
export function otlpTracing(
  { endpoint, serviceName, nodeName, sampler, sampledShare, exportMs = EXPORT_MS }: Collector,
  log: Pick<Log, "warn" | "info">,
): Tracing {
  const bare = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: exportMs });
  const exporter = logExportFailures(bare, new URL(endpoint).host, log);
  const provider = new TracerProvider({
    resource: resourceOf({ "service.name": serviceName, "service.version": version, "service.instance.id": nodeName }),
    sampler: samplerOf(sampler, sampledShare),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: EVERY_MS, exportTimeoutMillis: exportMs }),
    ],
  });
  const otelTracer = provider.getTracer("beckon", version);
  const open = new AsyncLocalStorage<Context>();

  const tracer: Tracer = {
    kinds: new Set(["request", "call", "step", "transaction"]),
    async span({ kind, name, attributes, traceparent }, work) {
      const parent = open.getStore() ?? contextOf(traceparent);
      const span = otelTracer.startSpan(name, { kind: KINDS[kind], attributes: named(attributes) }, parent);
      try {
        return await open.run(trace.setSpan(parent, span), () => work((more) => void span.setAttributes(named(more))));
      } catch (thrown) {
        // A refusal is a regular outcome. The message of any other error may hold anything and goes only to the log.
        if (thrown instanceof Refusal) span.setAttribute("beckon.outcome", thrown.code);
        else span.setStatus({ code: SpanStatusCode.ERROR });
        throw thrown;
      } finally {
        span.end();
      }
    },
  };
  // The remaining traces are lost if the collector does not answer. The stop does not fail because of that.
  const stop = async () => {
    await provider.shutdown().catch(() => undefined);
    // Left enabled, it would slow down every promise of the process (db/transaction-scope.ts).
    open.disable();
  };
  return { tracer, stop };
}

/**
 * The samplers by the names of OTEL_TRACES_SAMPLER (OpenTelemetry specification, SDK configuration, "General SDK
 * configuration").
 */
function samplerOf(name: TracingSettings["sampler"], share: number): Sampler {
  const root = name.endsWith("traceidratio")
    ? new TraceIdRatioBasedSampler(share)
    : name.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler();
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
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

/** Reads a traceparent header (W3C Trace Context, section 3.2). An invalid header is ignored. */
function contextOf(traceparent: string | undefined): Context {
  const found = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/.exec(traceparent ?? "");
  if (!found) return ROOT_CONTEXT;
  const [, traceId = "", spanId = "", flags = ""] = found;
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

/** The resource that all spans belong to: this service. */
function resourceOf(attributes: Record<string, string>): NonNullable<TracerProviderOptions["resource"]> {
  const resource: NonNullable<TracerProviderOptions["resource"]> = {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: () => resource,
  };
  return resource;
}
