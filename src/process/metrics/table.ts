import { version } from "../../platform/version.ts";
import type { ObservedMetric, ReadMetric, Sample } from "./metric.ts";
import type { Sources } from "./sources.ts";
import type { ProviderTotals, Totals } from "./totals.ts";

/** Metrics of what this process has done, by name. Label values come from bounded sets and never name an account or a host. */
export const OBSERVED: Readonly<Record<string, ObservedMetric>> = {
  beckon_http_request_duration_seconds: {
    kind: "histogram",
    help: "Duration of requests to this node, up to the last byte",
    labels: ["surface", "status"],
    note: "`status` is `2xx` … `5xx`, `aborted` or `failed`",
    // A call that reads takes milliseconds, a call that reads a sitemap up to a minute.
    bounds: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    at: "request",
    samples: ({ seconds, attributes: { surface, class: status = "failed" } }) => [
      [seconds, String(surface), String(status)],
    ],
  },
  beckon_http_forwarded_total: {
    kind: "counter",
    help: "Requests to this node by the proxies that X-Forwarded-For names, without those to health and metrics",
    labels: ["proxies"],
    note: "`3` stands for 3 or more; `doctor` compares it with TRUST_PROXY",
    at: "request",
    samples: ({ attributes: { surface, proxies } }) => (surface === "ops" ? [] : [[1, String(proxies)]]),
  },
  beckon_step_duration_seconds: {
    kind: "histogram",
    help: "Duration of steps on this node",
    labels: ["action", "outcome"],
    bounds: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300],
    at: "step",
    samples: ({ seconds, failed, attributes: { action } }) => [[seconds, String(action), failed ? "failed" : "done"]],
  },
  beckon_verdicts_total: {
    kind: "counter",
    help: "Verdicts of look-ups that this node made",
    labels: ["result"],
    at: "step",
    samples: ({ attributes }) =>
      ["indexed", "not_indexed", "unknown"].flatMap((result) => {
        const count = attributes[result];
        return typeof count === "number" && count > 0 ? [[count, result] as const] : [];
      }),
  },
};

const hasPool = ({ db }: Sources) => db.stats !== undefined;

/** Metrics whose values are read when somebody asks for metrics, by name. The same holds for their labels. */
export const READ: Readonly<Record<string, ReadMetric>> = {
  beckon_node_info: {
    kind: "gauge",
    help: "This node; always 1",
    labels: ["node", "role", "database", "version"],
    read: ({ db, config }) => [[1, config.nodeName, config.role, db.dialect, version]],
  },
  beckon_database_connections: {
    kind: "gauge",
    help: "Connections of this node to the database",
    labels: ["state"],
    note: "only with PostgreSQL",
    exists: hasPool,
    read: ({ db }) => {
      const { poolTotal, poolIdle } = db.stats!();
      return byLabel({ busy: poolTotal - poolIdle, idle: poolIdle });
    },
  },
  beckon_database_waiting: {
    kind: "gauge",
    help: "Transactions on this node that wait for a connection",
    labels: [],
    note: "only with PostgreSQL",
    exists: hasPool,
    read: ({ db }) => [[db.stats!().poolWaiting]],
  },
  beckon_database_retries_total: {
    kind: "counter",
    help: "Transactions that this node retried",
    labels: [],
    note: "only with PostgreSQL",
    exists: hasPool,
    read: ({ db }) => [[db.stats!().retried]],
  },
  beckon_links: {
    kind: "gauge",
    help: "Links by state, whole database",
    labels: ["state"],
    read: fromTotals(({ links }) => byLabel(links)),
  },
  beckon_steps: {
    kind: "gauge",
    help: "Steps in the queue, due or not, whole database",
    labels: ["action"],
    read: fromTotals(({ steps }) => byLabel(steps, ({ count }) => count)),
  },
  beckon_steps_oldest_due_seconds: {
    kind: "gauge",
    help: "How overdue the oldest due step is, whole database",
    labels: ["action"],
    read: fromTotals(({ steps }, { clock }) =>
      byLabel(steps, ({ oldestDueAt }) => secondsSince(oldestDueAt, clock.service()) / clock.anchor.scale),
    ),
  },
  beckon_orders_open: {
    kind: "gauge",
    help: "Orders waiting for payment, whole database",
    labels: [],
    read: fromTotals(({ openOrders }) => [[openOrders]]),
  },
  beckon_mail_waiting: {
    kind: "gauge",
    help: "Mail that is not sent yet, whole database",
    labels: [],
    read: fromTotals(({ mail }) => [[mail.count]]),
  },
  beckon_mail_oldest_seconds: {
    kind: "gauge",
    help: "How long the oldest mail waits, whole database",
    labels: [],
    read: fromTotals(({ mail }, { clock }) => [[secondsSince(mail.oldestAt, clock.now())]]),
  },
  beckon_provider_calls_total: {
    kind: "counter",
    help: "Calls to providers, whole database",
    labels: ["provider"],
    read: fromProviders("calls"),
  },
  beckon_provider_failures_total: {
    kind: "counter",
    help: "Failed calls to providers, whole database",
    labels: ["provider"],
    read: fromProviders("failures"),
  },
  beckon_totals_age_seconds: {
    kind: "gauge",
    help: "Age of the totals of the whole database",
    labels: [],
    read: async ({ totals }) => {
      const cached = await totals.get();
      return cached ? [[cached.ageMs / 1000]] : [];
    },
  },
  beckon_ledger_credits: {
    kind: "gauge",
    help: "Sum of all ledger entries in credits, whole database",
    labels: ["kind"],
    note: "spent credits are negative",
    read: async ({ ledger }) => byLabel((await ledger.get())?.value ?? {}),
  },
  beckon_deleted_accounts_money_total: {
    kind: "counter",
    help: "Purchases, refunds and disputes booked for deleted accounts, whole database",
    labels: [],
    note: "each is also an error in the log",
    read: async ({ lateMoney }) => {
      const cached = await lateMoney.get();
      return cached ? [[cached.value]] : [];
    },
  },
  beckon_card_refunds_failed_total: {
    kind: "counter",
    help: "Refunds of orders that failed afterwards, whole database",
    labels: [],
    note: "each is also an error in the log",
    read: fromTotals(({ failedRefunds }) => [[failedRefunds]]),
  },
  beckon_totals_failed_total: {
    kind: "counter",
    help: "Failed reads of the totals of the whole database",
    labels: [],
    read: ({ totals, ledger, lateMoney }) => [[totals.failures + ledger.failures + lateMoney.failures]],
  },
};

function fromTotals(pick: (totals: Totals, sources: Sources) => readonly Sample[]): ReadMetric["read"] {
  return async (sources) => {
    const cached = await sources.totals.get();
    return cached ? pick(cached.value, sources) : [];
  };
}

function fromProviders(field: keyof ProviderTotals): ReadMetric["read"] {
  return fromTotals(({ providers }) => byLabel(providers, (counts) => counts[field]));
}

function byLabel(values: Readonly<Record<string, number>>): readonly Sample[];
function byLabel<T>(values: Readonly<Record<string, T>>, pick: (value: T) => number): readonly Sample[];
function byLabel<T>(values: Readonly<Record<string, T>>, pick = (value: T) => value as number): readonly Sample[] {
  return Object.entries(values).map(([label, value]) => [pick(value), label]);
}

/** 0 if `at` is null or still to come. */
function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, now - at) / 1000;
}
