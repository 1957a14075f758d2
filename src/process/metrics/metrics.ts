import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, type RegistryContentType } from "prom-client";
import { Mutex } from "../../platform/concurrency.ts";
import type { NewSpan, Tracer } from "../../platform/telemetry.ts";
import { version } from "../../platform/version.ts";
import type { Instance } from "../instance.ts";
import { CachedQuery, type CachedQueryOptions } from "./cached-query.ts";
import { readLedger, readTotals, type Totals } from "./totals.ts";

/** In seconds: a call that reads takes ms, one that reads a sitemap up to a minute. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const STEP_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300];
/** The ledger is read from its beginning, so seldom. */
const LEDGER_MS = 300_000;

/** The one label of a figure, or none. */
type Label = string | null;
/** Values by their label; no row where it is not known. */
type Read = () => Promise<readonly (readonly [label: string, value: number])[]>;

const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;
const TEXT = Registry.PROMETHEUS_CONTENT_TYPE;

/** The figures of this process, and of the database it works on. Labels come from bounded sets: no account, no host. */
export class Metrics {
  readonly #registry = new Registry<RegistryContentType>();
  readonly #formats = new Mutex();
  readonly #requests = this.#histogram("http_request_duration_seconds", "Requests of this node, to their last byte", {
    labels: ["surface", "status"],
    buckets: REQUEST_BUCKETS,
  });
  readonly #steps = this.#histogram("step_duration_seconds", "Steps that this node has worked on", {
    labels: ["action", "outcome"],
    buckets: STEP_BUCKETS,
  });
  readonly #verdicts = new Counter({
    name: "beckon_verdicts_total",
    help: "What verifiers said of links, to this node",
    labelNames: ["result"],
    registers: [this.#registry],
  });

  /**
   * @param node.db asked when somebody asks for metrics, not more often than every 30 s
   * @param keep for tests
   */
  constructor({ db, clock, config }: Instance, keep?: CachedQueryOptions) {
    collectDefaultMetrics({ register: this.#registry });
    const totals = new CachedQuery(() => readTotals(db), keep);
    const ledger = new CachedQuery(() => readLedger(db), { leastMs: LEDGER_MS, oldestMs: 4 * LEDGER_MS, ...keep });
    this.#nodeInfo(config.nodeName, config.role, db.dialect);
    this.#ofConnections(db);
    this.#ofDatabase(
      totals,
      () => clock.service(),
      () => clock.anchor.scale,
    );
    this.#gauge("ledger_credits", "Credits booked since the beginning, whole database", "kind", async () => {
      return Object.entries((await ledger.get())?.value ?? {});
    });
    const failures = async () => [["", totals.failures + ledger.failures]] as const;
    this.#counter("totals_failed_total", "How often figures of the whole database could not be read", null, failures);
  }

  /** Counts requests, steps and verdicts of this process. */
  readonly tracer: Tracer = {
    span: async (span, work) => {
      const begun = performance.now();
      let attributes = span.attributes;
      let failed = true;
      try {
        const result = await work((more) => {
          attributes = { ...attributes, ...more };
        });
        failed = false;
        return result;
      } finally {
        this.#observe({ ...span, attributes }, (performance.now() - begun) / 1000, failed);
      }
    },
  };

  /** @param accept the header of whoever asks: OpenMetrics, where it is named */
  async text(accept = ""): Promise<{ readonly text: string; readonly contentType: string }> {
    const contentType = accept.includes("application/openmetrics-text") ? OPEN_METRICS : TEXT;
    const text = await this.#formats.run(async () => {
      this.#registry.setContentType(contentType);
      // For OpenMetrics the registry takes `_total` off the names of its counters, and would leave it off in plain text.
      const named = this.#registry.getMetricsAsArray().map((metric) => ({ metric, name: metric.name }));
      try {
        // The registry writes not-a-number in a way of its own.
        return (await this.#registry.metrics()).replace(/ Nan$/gm, " NaN");
      } finally {
        for (const { metric, name } of named) metric.name = name;
      }
    });
    return { text, contentType };
  }

  #observe({ kind, attributes }: NewSpan, seconds: number, failed: boolean): void {
    if (kind === "request") {
      this.#requests.observe(
        { surface: String(attributes.surface), status: String(attributes.class ?? "failed") },
        seconds,
      );
    } else if (kind === "step") {
      this.#steps.observe({ action: String(attributes.action), outcome: failed ? "failed" : "done" }, seconds);
      for (const result of ["indexed", "not_indexed", "unknown"]) {
        const count = attributes[result];
        if (typeof count === "number" && count > 0) this.#verdicts.inc({ result }, count);
      }
    }
  }

  #nodeInfo(node: string, role: string, database: string): void {
    const info = new Gauge({
      name: "beckon_node_info",
      help: "This node; always 1",
      labelNames: ["node", "role", "database", "version"],
      registers: [this.#registry],
    });
    info.set({ node, role, database, version }, 1);
  }

  #ofConnections(db: Instance["db"]): void {
    if (!db.stats) return;
    const stats = db.stats;
    this.#gauge("database_connections", "Connections of this node to the database", "state", async () => {
      const { poolTotal, poolIdle } = stats();
      return [
        ["busy", poolTotal - poolIdle],
        ["idle", poolIdle],
      ];
    });
    this.#gauge("database_waiting", "Who waits for a connection on this node", null, async () => [
      ["", stats().poolWaiting],
    ]);
    const retried = async () => [["", stats().retried]] as const;
    this.#counter("database_retries_total", "Transactions that this node ran again", null, retried);
  }

  #ofDatabase(totals: CachedQuery<Totals>, service: () => number, scale: () => number): void {
    const of = (pick: (totals: Totals) => readonly (readonly [string, number])[]) => async () => {
      const kept = await totals.get();
      return kept ? pick(kept.value) : [];
    };
    this.#gauge(
      "links",
      "Links by state, whole database",
      "state",
      of(({ links }) => Object.entries(links)),
    );
    const steps = of((all) => Object.entries(all.steps).map(([action, { count }]) => [action, count] as const));
    this.#gauge("steps", "Steps in the queue, due or not, whole database", "action", steps);
    const lateness = of((all) =>
      Object.entries(all.steps).map(([action, { oldestDueAt }]) => {
        const late = oldestDueAt === null ? 0 : Math.max(0, service() - oldestDueAt);
        return [action, late / scale() / 1000] as const;
      }),
    );
    this.#gauge("steps_oldest_due_seconds", "How late the oldest due step is, whole database", "action", lateness);
    this.#gauge(
      "orders_open",
      "Orders that wait for money, whole database",
      null,
      of((all) => [["", all.openOrders]]),
    );
    const providers = (field: "calls" | "failures") =>
      of((all) => Object.entries(all.providers).map(([name, counts]) => [name, counts[field]] as const));
    this.#counter("provider_calls_total", "Calls of upstreams, whole database", "provider", providers("calls"));
    this.#counter("provider_failures_total", "Calls that failed, whole database", "provider", providers("failures"));
    this.#gauge("totals_age_seconds", "Age of the figures of the whole database", null, async () => {
      const kept = await totals.get();
      return kept ? [["", kept.ageMs / 1000]] : [];
    });
  }

  #gauge(name: string, help: string, label: Label, read: Read): void {
    const gauge: Gauge = new Gauge({
      ...this.#named(name, help, label),
      async collect() {
        const rows = await read();
        gauge.reset();
        // What cannot be known is left out: 0 would be a figure.
        if (label === null) gauge.remove();
        for (const [value, number] of rows) gauge.set(label === null ? {} : { [label]: value }, number);
      },
    });
  }

  /** Of something that is counted elsewhere. */
  #counter(name: string, help: string, label: Label, read: Read): void {
    const counter: Counter = new Counter({
      ...this.#named(name, help, label),
      async collect() {
        const rows = await read();
        counter.reset();
        for (const [value, number] of rows) counter.inc(label === null ? {} : { [label]: value }, number);
      },
    });
  }

  #named(name: string, help: string, label: Label) {
    return { name: `beckon_${name}`, help, labelNames: label === null ? [] : [label], registers: [this.#registry] };
  }

  #histogram(name: string, help: string, { labels, buckets }: { labels: string[]; buckets: number[] }): Histogram {
    return new Histogram({ name: `beckon_${name}`, help, labelNames: labels, buckets, registers: [this.#registry] });
  }
}
