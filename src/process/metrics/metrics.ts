import { Counter, collectDefaultMetrics, Gauge, Registry, type RegistryContentType } from "prom-client";
import { Mutex } from "../../platform/concurrency.ts";
import type { SpanKind, Tracer } from "../../platform/telemetry.ts";
import type { Instance } from "../instance.ts";
import type { CachedQueryOptions } from "./cached-query.ts";
import { Histogram } from "./histogram.ts";
import type { Ended, ObservedMetric, ReadMetric } from "./metric.ts";
import { type Sources, sourcesOf } from "./sources.ts";
import { OBSERVED, READ } from "./table.ts";

const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;
const TEXT = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of the table, and what prom-client tells of Node.js. */
export class Metrics {
  readonly #registry = new Registry<RegistryContentType>();
  readonly #formats = new Mutex();
  readonly #observers: { readonly at: SpanKind; readonly observe: (ended: Ended) => void }[] = [];

  /**
   * @param instance its database is queried when metrics are read, at most every 30 s
   * @param cache for tests
   */
  constructor(instance: Instance, cache?: CachedQueryOptions) {
    for (const [name, metric] of Object.entries(OBSERVED)) this.#observeInto(name, metric);
    collectDefaultMetrics({ register: this.#registry });
    const sources = sourcesOf(instance, cache);
    for (const [name, metric] of Object.entries(READ))
      if (metric.exists?.(sources) ?? true) this.#readInto(name, metric, sources);
  }

  /** Counts the requests and steps of this process. */
  readonly tracer: Tracer = {
    kinds: new Set(["request", "step"]),
    span: async ({ kind, ...span }, work) => {
      const startedAt = performance.now();
      let attributes = span.attributes;
      let failed = true;
      try {
        const result = await work((more) => {
          attributes = { ...attributes, ...more };
        });
        failed = false;
        return result;
      } finally {
        this.#observe(kind, { attributes, seconds: (performance.now() - startedAt) / 1000, failed });
      }
    },
    recordRequest: (request, seconds) =>
      this.#observe("request", { attributes: { ...request }, seconds, failed: false }),
  };

  /** @param accept the Accept header. The format is OpenMetrics if the header names it */
  async text(accept = ""): Promise<{ readonly text: string; readonly contentType: string }> {
    const contentType = accept.includes("application/openmetrics-text") ? OPEN_METRICS : TEXT;
    const text = await this.#formats.run(async () => {
      this.#registry.setContentType(contentType);
      // The registry removes `_total` from the names of its counters for OpenMetrics. It would leave them so in plain
      // text.
      const named = this.#registry.getMetricsAsArray().map((metric) => ({ metric, name: metric.name }));
      try {
        // The registry writes `Nan`; both formats want `NaN`.
        return (await this.#registry.metrics()).replace(/ Nan$/gm, " NaN");
      } finally {
        for (const { metric, name } of named) metric.name = name;
      }
    });
    return { text, contentType };
  }

  #observe(kind: SpanKind, ended: Ended): void {
    for (const { at, observe } of this.#observers) if (at === kind) observe(ended);
  }

  #observeInto(name: string, metric: ObservedMetric): void {
    const { at, samples } = metric;
    if (metric.kind === "histogram") {
      const histogram = new Histogram(this.#registry, { name, ...metric });
      const observe = (ended: Ended) => {
        for (const [value, ...labels] of samples(ended)) histogram.observe(value, labels);
      };
      this.#observers.push({ at, observe });
    } else {
      const counter = new Counter(this.#named(name, metric));
      const observe = (ended: Ended) => {
        for (const [value, ...labels] of samples(ended)) counter.labels(...labels).inc(value);
      };
      this.#observers.push({ at, observe });
    }
  }

  #readInto(name: string, { read, ...metric }: ReadMetric, sources: Sources): void {
    const options = this.#named(name, metric);
    if (metric.kind === "counter") {
      const counter: Counter = new Counter({
        ...options,
        async collect() {
          const samples = await read(sources);
          counter.reset();
          for (const [value, ...labels] of samples) counter.labels(...labels).inc(value);
        },
      });
      return;
    }
    const gauge: Gauge = new Gauge({
      ...options,
      async collect() {
        const samples = await read(sources);
        gauge.reset();
        // A value that is not known is left out, because 0 would be wrong.
        if (metric.labels.length === 0) gauge.remove();
        for (const [value, ...labels] of samples) gauge.labels(...labels).set(value);
      },
    });
  }

  #named(name: string, { help, labels }: Pick<ReadMetric, "help" | "labels">) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}
