import { once } from "node:events";
import { createServer } from "node:http";
import { registerHooks } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { version } from "../../../../src/platform/version.ts";
import { createLog } from "../../../../src/process/log.ts";
import { type Service, startService } from "../../../../src/process/service.ts";
import { scratchFolder } from "../../../support/service/cli.ts";

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector of OTLP over HTTP (opentelemetry.io/docs/specs/otlp, JSON). */
async function collector() {
  const sent: Sent[] = [];
  const seen = {
    requests: 0,
    paths: new Set<string>(),
    types: new Set<string>(),
    authorizations: new Set<string | undefined>(),
  };
  const answers = { status: 200 };
  const server = createServer(async (req, res) => {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part as Buffer);
    seen.requests += 1;
    seen.paths.add(req.url!);
    seen.types.add(req.headers["content-type"]!);
    seen.authorizations.add(req.headers.authorization);
    if (answers.status !== 200) {
      res.writeHead(answers.status).end("refused by the collector");
      return;
    }
    sent.push(JSON.parse(Buffer.concat(parts).toString()) as Sent);
    res.setHeader("Content-Type", "application/json").end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return {
    answers,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    resources: () => sent.flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => valuesOf(resource))),
    spans: () =>
      sent.flatMap((one) => one.resourceSpans.flatMap((each) => each.scopeSpans.flatMap(({ spans }) => spans))),
  };
}

function valuesOf({ attributes }: Pick<Span, "attributes">): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

async function started(
  env: NodeJS.ProcessEnv,
  write?: (line: string) => void,
): Promise<{ service: Service; stop(): Promise<void> }> {
  const DATABASE_URL = `file:${join(scratchFolder(), "test.db")}`;
  const config = readConfig({ DATABASE_URL, PORT: "0", LOG_LEVEL: "silent", ...env });
  const service = await startService(config, createLog(config, write));
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { service, stop };
}

/** But for the interface alone, which the library of the metrics loads by itself. */
const loaded: string[] = [];
const hooks = registerHooks({
  resolve(specifier, context, next) {
    if (/^@opentelemetry\/(?!api$)/.test(specifier)) loaded.push(specifier);
    return next(specifier, context);
  },
});
afterAll(() => hooks.deregister());

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

const COLLECTOR = { serviceName: "x", nodeName: "y", sampler: "parentbased_always_on", sampledShare: 1 } as const;

test("law: OpenTelemetry is loaded only if a collector is configured", async () => {
  const { stop } = await started({});
  await stop();
  expect(loaded).toEqual([]);
});

test("requests, calls, transactions and steps are spans of one trace, which the caller may have started", async () => {
  const { url, seen, spans, resources } = await collector();
  const { service, stop } = await started({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_SERVICE_NAME: "indexing",
    NODE_NAME: "n1",
  });
  expect(loaded).not.toEqual([]);
  const { demoKey } = await import("../../../../src/process/demo-key.ts");
  const { key } = (await demoKey(service.instance))!;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const post = (urls: string[], more: Record<string, string> = {}) =>
    fetch(`${service.address}/api/v1/projects`, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify({ urls }),
    });
  const made = await post(["https://example.com/"], { traceparent: `00-${TRACE}-${PARENT}-01` });
  expect(made.status).toBe(201);
  expect((await post([])).status).toBe(400);
  await stop();

  expect([...seen.paths, ...seen.types]).toEqual(["/v1/traces", "application/json"]);
  const [resource] = resources();
  expect(resource).toMatchObject({
    "service.name": "indexing",
    "service.instance.id": "n1",
    "service.version": version,
  });
  const ours = spans().filter(({ traceId }) => traceId === TRACE);
  const request = ours.find(({ name }) => name === "POST rest")!;
  expect(request.parentSpanId).toBe(PARENT);
  expect(valuesOf(request)).toMatchObject({ "http.request.method": "POST", "http.response.status_code": 201 });
  const call = ours.find(({ name }) => name === "submit_urls")!;
  expect(call.parentSpanId).toBe(request.spanId);
  expect(valuesOf(call)).toMatchObject({ "beckon.operation": "submit_urls", "beckon.outcome": "ok" });
  const transaction = ours.find(({ name, parentSpanId }) => name === "transaction" && parentSpanId === call.spanId)!;
  expect(valuesOf(transaction)).toMatchObject({ "db.system.name": "sqlite", "beckon.tries": 1 });

  const refused = spans().find((span) => valuesOf(span)["beckon.outcome"] === "invalid_request")!;
  expect(refused.traceId).not.toBe(TRACE);
  const steps = spans()
    .map(valuesOf)
    .filter((one) => one["beckon.action"] === "send");
  expect(steps[0]).toMatchObject({ "beckon.size": 1, "beckon.provider": expect.stringMatching(/^[a-z_]+$/) });
  expect(JSON.stringify(spans())).not.toMatch(/example\.com|bk_test/);
});

test("a stop asks a failing collector for no longer than the limit of a batch", async () => {
  const failing = await collector();
  failing.answers.status = 503;
  const { otlpTracing } = await import("../../../../src/process/tracing/otlp.ts");
  const at = { ...COLLECTOR, endpoint: failing.url, exportMs: 500 };
  const tracing = otlpTracing(at, createLog({ logLevel: "silent" }));
  await tracing.tracer.span({ kind: "request", name: "x", attributes: {} }, async () => undefined);
  await tracing.stop();
  // The library tries again after a second, which is over the limit.
  expect(failing.seen.requests).toBe(1);
});

test.each([
  ["always_on", 1, { own: true, joined: true }],
  ["always_off", 1, { own: false, joined: false }],
  ["traceidratio", 0, { own: false, joined: false }],
  ["traceidratio", 1, { own: true, joined: true }],
  ["parentbased_always_off", 1, { own: false, joined: true }],
  ["parentbased_traceidratio", 0, { own: false, joined: true }],
] as const)(
  "OTEL_TRACES_SAMPLER=%s with %d records what OpenTelemetry says",
  async (sampler, sampledShare, recorded) => {
    const { url, spans } = await collector();
    const { otlpTracing } = await import("../../../../src/process/tracing/otlp.ts");
    const at = { ...COLLECTOR, endpoint: url, sampler, sampledShare };
    const tracing = otlpTracing(at, createLog({ logLevel: "silent" }));
    const span = (name: string, more: object) =>
      tracing.tracer.span({ kind: "request", name, attributes: {}, ...more }, async () => undefined);
    await span("own", {});
    await span("joined", { traceparent: `00-${TRACE}-${PARENT}-01` });
    await tracing.stop();
    const names = spans().map(({ name }) => name);
    expect({ own: names.includes("own"), joined: names.includes("joined") }).toEqual(recorded);
  },
);

/** One that has ended. */
async function endedSpan(): Promise<ReadableSpan> {
  const { TracerProvider } = await import("@opentelemetry/sdk-trace");
  const span = new TracerProvider().getTracer("test").startSpan("x");
  span.end();
  return span as unknown as ReadableSpan;
}

test("law: lost traces are logged once, and so is the first delivery after them; without secrets or text of the collector", async () => {
  const at = await collector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20token-of-the-collector");
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: string[] = [];
  const log = createLog({ logLevel: "info" }, (line) => void lines.push(line));
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { logExportFailures } = await import("../../../../src/process/tracing/export-failures.ts");
  const exporter = logExportFailures(
    new OTLPTraceExporter({ url: `${at.url}/v1/traces`, timeoutMillis: 2_000 }),
    "collector",
    log,
  );
  const span = await endedSpan();
  const send = () => new Promise((resolve) => exporter.export([span, span], resolve));
  await send();
  expect(lines).toEqual([]);
  at.answers.status = 401;
  for (let i = 0; i < 3; i++) await send();
  at.answers.status = 200;
  await send();
  await send();
  expect(at.seen.authorizations).toEqual(new Set(["Bearer token-of-the-collector"]));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, collector: "collector", problem: 401 },
    { level: 30, collector: "collector", lost: 6 },
  ]);
  expect(lines.join()).not.toMatch(/token-of|refused by/);
  await exporter.shutdown();
});

test("an unreachable collector does not affect the service, which logs it once, with its host", async () => {
  const lines: string[] = [];
  const { service, stop } = await started(
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", LOG_LEVEL: "info" },
    (line) => void lines.push(line),
  );
  expect((await fetch(`${service.address}/api/v1/pricing`)).status).toBe(200);
  // What is left is sent at the stop.
  await stop();
  const traceLogs = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /traces/.test(msg));
  expect(traceLogs).toMatchObject([{ level: 40, collector: "127.0.0.1:9", problem: expect.anything() }]);
});

test.each([
  ["of another version that reads the same", `01-${TRACE}-${PARENT}-01-more`, true],
  ["with ids of zeros", `00-${"0".repeat(32)}-${PARENT}-01`, false],
  ["in capitals", `00-${TRACE.toUpperCase()}-${PARENT}-01`, false],
  ["of the version that is none", `ff-${TRACE}-${PARENT}-01`, false],
  ["that is no such thing", "hello", false],
])("a traceparent %s: %s", async (_, traceparent, joins) => {
  const { url, spans } = await collector();
  const { otlpTracing } = await import("../../../../src/process/tracing/otlp.ts");
  const tracing = otlpTracing({ ...COLLECTOR, endpoint: url }, createLog({ logLevel: "silent" }));
  await tracing.tracer.span({ kind: "request", name: "x", attributes: {}, traceparent }, async () => undefined);
  await tracing.stop();
  expect(spans()).toHaveLength(1);
  expect(spans()[0]!.traceId === TRACE).toBe(joins);
});
