import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, type RegistryContentType } from "prom-client";
import { Mutex } from "../../platform/concurrency.ts";
import type { NewSpan, Tracer } from "../../platform/telemetry.ts";
import { version } from "../../platform/version.ts";
import type { Instance } from "../instance.ts";
import { CachedQuery, type CachedQueryOptions } from "./cached-query.ts";
import { RequestDurations } from "./request-durations.ts";
import { readLateMoney, readLedger, readTotals, type Totals } from "./totals.ts";

/** In seconds. */
const STEP_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300];
/** How long the sums of the ledger are kept, in ms. Each query reads the whole ledger. */
const LEDGER_MS = 300_000;

/** The name of a metric's label; null if it has none. */
type Label = string | null;
/** Reads the values by label. A value that is not known is left out. */
type ReadValues = () => Promise<readonly (readonly [label: string, value: number])[]>;

const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;
const TEXT = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * Metrics of this process and of its database. Label values come from bounded sets and never name an account or a
 * host.
 */
export class Metrics {
  readonly #registry = new Registry<RegistryContentType>();
  readonly #formats = new Mutex();
  readonly #requests = new RequestDurations(this.#registry);
  readonly #steps = this.#histogram("step_duration_seconds", "Duration of steps on this node", {
    labels: ["action", "outcome"],
    buckets: STEP_BUCKETS,
  });
  readonly #verdicts = new Counter({
    name: "beckon_verdicts_total",
    help: "Verdicts of look-ups that this node made",
    labelNames: ["result"],
    registers: [this.#registry],
  });

  /**
   * @param instance its database is queried when metrics are read, at most every 30 s
   * @param cache for tests
   */
  constructor({ db, clock, config }: Instance, cache?: CachedQueryOptions) {
    collectDefaultMetrics({ register: this.#registry });
    const totals = new CachedQuery(() => readTotals(db), cache);
    const ledger = new CachedQuery(() => readLedger(db), {
      minIntervalMs: LEDGER_MS,
      maxAgeMs: 4 * LEDGER_MS,
      ...cache,
    });
    this.#nodeInfo(config.nodeName, config.role, db.dialect);
    this.#connectionMetrics(db);
    this.#databaseMetrics(
      totals,
      () => clock.now(),
      () => clock.service(),
      () => clock.anchor.scale,
    );
    this.#gauge("ledger_credits", "Sum of all ledger entries in credits, whole database", "kind", async () => {
      return Object.entries((await ledger.get())?.value ?? {});
    });
    const lateMoney = new CachedQuery(() => readLateMoney(db), {
      minIntervalMs: LEDGER_MS,
      maxAgeMs: 4 * LEDGER_MS,
      ...cache,
    });
    this.#counter(
      "deleted_accounts_money_total",
      "Purchases, refunds and disputes booked for deleted accounts, whole database",
      null,
      async () => {
        const cached = await lateMoney.get();
        return cached ? [["", cached.value]] : [];
      },
    );
    const failures = async () => [["", totals.failures + ledger.failures + lateMoney.failures]] as const;
    this.#counter("totals_failed_total", "Failed reads of the totals of the whole database", null, failures);
  }

  /** Counts the requests, steps and verdicts of this process. */
  readonly tracer: Tracer = {
    kinds: new Set(["request", "step"]),
    span: async (span, work) => {
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
        this.#observe({ ...span, attributes }, (performance.now() - startedAt) / 1000, failed);
      }
    },
    recordRequest: (request, seconds) => this.#requests.observe(request, seconds),
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

  #observe({ kind, attributes }: NewSpan, seconds: number, failed: boolean): void {
    if (kind === "request") {
      const { surface, class: status = "failed" } = attributes;
      this.#requests.observe({ surface: String(surface), class: String(status) }, seconds);
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

  #connectionMetrics(db: Instance["db"]): void {
    if (!db.stats) return;
    const stats = db.stats;
    this.#gauge("database_connections", "Connections of this node to the database", "state", async () => {
      const { poolTotal, poolIdle } = stats();
      return [
        ["busy", poolTotal - poolIdle],
        ["idle", poolIdle],
      ];
    });
    this.#gauge("database_waiting", "Transactions on this node that wait for a connection", null, async () => [
      ["", stats().poolWaiting],
    ]);
    const retried = async () => [["", stats().retried]] as const;
    this.#counter("database_retries_total", "Transactions that this node retried", null, retried);
  }

  #databaseMetrics(totals: CachedQuery<Totals>, now: () => number, service: () => number, scale: () => number): void {
    const of = (pick: (totals: Totals) => readonly (readonly [string, number])[]) => async () => {
      const cached = await totals.get();
      return cached ? pick(cached.value) : [];
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
    this.#gauge("steps_oldest_due_seconds", "How overdue the oldest due step is, whole database", "action", lateness);
    this.#gauge(
      "orders_open",
      "Orders waiting for payment, whole database",
      null,
      of((all) => [["", all.openOrders]]),
    );
    this.#gauge(
      "mail_waiting",
      "Mail that is not sent yet, whole database",
      null,
      of(({ mail }) => [["", mail.count]]),
    );
    this.#gauge(
      "mail_oldest_seconds",
      "How long the oldest mail waits, whole database",
      null,
      of(({ mail: { oldestAt } }) => [["", oldestAt === null ? 0 : Math.max(0, now() - oldestAt) / 1000]]),
    );
    const providers = (field: "calls" | "failures") =>
      of((all) => Object.entries(all.providers).map(([name, counts]) => [name, counts[field]] as const));
    this.#counter("provider_calls_total", "Calls to providers, whole database", "provider", providers("calls"));
    this.#counter(
      "provider_failures_total",
      "Failed calls to providers, whole database",
      "provider",
      providers("failures"),
    );
    this.#gauge("totals_age_seconds", "Age of the totals of the whole database", null, async () => {
      const cached = await totals.get();
      return cached ? [["", cached.ageMs / 1000]] : [];
    });
  }

  #gauge(name: string, help: string, label: Label, read: ReadValues): void {
    const gauge: Gauge = new Gauge({
      ...this.#named(name, help, label),
      async collect() {
        const rows = await read();
        gauge.reset();
        // A value that is not known is left out, because 0 would be wrong.
        if (label === null) gauge.remove();
        for (const [value, number] of rows) gauge.set(label === null ? {} : { [label]: value }, number);
      },
    });
  }

  /** A counter whose value is kept elsewhere, e.g. in the database. */
  #counter(name: string, help: string, label: Label, read: ReadValues): void {
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
