import type { Metric, Registry } from "prom-client";

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** How many values are at most each bound and above the bound before. The last number counts the higher ones. */
  readonly counts: number[];
  sum: number;
}

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
}

/**
 * A histogram. It replaces the histogram of prom-client, which checks and hashes the labels of every observation and
 * costs a noticeable part of a short request.
 */
export class Histogram {
  readonly #options: HistogramOptions;
  readonly #series = new Map<string, Series>();

  /** @param registry shows this histogram with its other metrics */
  constructor(registry: Pick<Registry, "registerMetric">, options: HistogramOptions) {
    this.#options = options;
    // A registry uses only the name of a metric and its `get`.
    registry.registerMetric({ name: options.name, get: async () => this.#shown() } as unknown as Metric);
  }

  /** @param labels the values of the labels, in their order */
  observe(value: number, labels: readonly string[]): void {
    const { bounds } = this.#options;
    const key = labels.join();
    const series = this.#series.get(key) ?? this.#add(key, labels);
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    series.counts[at]!++;
    series.sum += value;
  }

  #add(key: string, values: readonly string[]): Series {
    const labels = Object.fromEntries(this.#options.labels.map((label, at) => [label, values[at]!]));
    const series = { labels, counts: new Array(this.#options.bounds.length + 1).fill(0), sum: 0 };
    this.#series.set(key, series);
    return series;
  }

  #shown() {
    const { name, help } = this.#options;
    const values = [...this.#series.values()].flatMap((series) => this.#valuesOf(series));
    return { name, help, type: "histogram", values, aggregator: "sum" };
  }

  #valuesOf({ labels, counts, sum }: Series) {
    const { name, bounds } = this.#options;
    let count = 0;
    const buckets = counts.map((n, at) => {
      count += n;
      return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? "+Inf", ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
