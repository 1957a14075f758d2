import type { Metric, Registry } from "prom-client";
import type { RequestAttributes } from "../../platform/telemetry.ts";

/** In seconds: a call that reads takes ms, one that reads a sitemap up to a minute. */
const BOUNDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const NAME = "beckon_http_request_duration_seconds";
const HELP = "Duration of requests to this node, up to the last byte";

interface Durations {
  readonly labels: { readonly surface: string; readonly status: string };
  /** How many took at most so long, and longer than the bound before; the last: longer than any. */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram of the durations of requests. That of prom-client checks and hashes the labels of every observation, which costs
 * as much as whatever else is done of ours for an answer from memory.
 */
export class RequestDurations {
  /** By status, of each surface. */
  readonly #bySurface = new Map<string, Map<string, Durations>>();

  /** @param registry shows it with its other metrics */
  constructor(registry: Pick<Registry, "registerMetric">) {
    // What a registry asks of a metric is its name and `get`.
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
