import type { Metric, Registry } from "prom-client";
import type { RequestAttributes } from "../../platform/telemetry.ts";

/**
 * Upper bounds of the buckets, in seconds. A call that reads takes milliseconds, a call that reads a sitemap up to a
 * minute.
 */
const BOUNDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const NAME = "beckon_http_request_duration_seconds";
const HELP = "Duration of requests to this node, up to the last byte";

interface Durations {
  readonly labels: { readonly surface: string; readonly status: string };
  /**
   * How many requests took at most each bound and longer than the bound before. The last number counts the longer
   * ones.
   */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram of the durations of requests. It replaces the histogram of prom-client, which checks and hashes the
 * labels of every observation and costs a noticeable part of a short request.
 */
export class RequestDurations {
  /** The durations by surface, then by status. */
  readonly #bySurface = new Map<string, Map<string, Durations>>();

  /** @param registry shows this histogram with its other metrics */
  constructor(registry: Pick<Registry, "registerMetric">) {
    // A registry uses only the name of a metric and its `get`.
    registry.registerMetric({ name: NAME, get: async () => this.#shown() } as unknown as Metric);
  }

  observe({ surface, class: status }: RequestAttributes, seconds: number): void {
    const durations = this.#bySurface.get(surface)?.get(status) ?? this.#add(surface, status);
    let at = 0;
    while (at < BOUNDS.length && seconds > BOUNDS[at]!) at++;
    durations.counts[at]!++;
    durations.sum += seconds;
  }

  #add(surface: string, status: string): Durations {
    const durations = { labels: { surface, status }, counts: new Array(BOUNDS.length + 1).fill(0), sum: 0 };
    const ofSurface = this.#bySurface.get(surface) ?? new Map();
    this.#bySurface.set(surface, ofSurface.set(status, durations));
    return durations;
  }

  #shown() {
    const all = [...this.#bySurface.values()].flatMap((ofSurface) => [...ofSurface.values()]);
    return { name: NAME, help: HELP, type: "histogram", values: all.flatMap(valuesOf), aggregator: "sum" };
  }
}

function valuesOf({ labels, counts, sum }: Durations) {
  let count = 0;
  const buckets = counts.map((n, at) => {
    count += n;
    return { metricName: `${NAME}_bucket`, labels: { le: BOUNDS[at] ?? "+Inf", ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}
