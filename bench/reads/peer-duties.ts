import { collectDefaultMetrics, Histogram } from "prom-client";
import type { z } from "zod";
import { readHeaders } from "../../rest/read-headers.ts";
import { operations } from "../../tools/index.ts";
import { type ReadName, UNTAGGED } from "./samples.ts";

/** What the product does for a read besides identifying, limiting and reading: each peer does it in the way of its framework. */
export interface Duties {
  /** The schema that the answer is checked by. */
  readonly schema: z.ZodObject;
  /** The headers that are the same in every answer, without those of libraries that limit and tag. */
  readonly headers: Readonly<Record<string, string>>;
}

export function dutiesOf(name: ReadName): Duties {
  const schema = operations.find((one) => one.name === name)!.output as z.ZodObject;
  const list = readHeaders({ principal: null, requestsToday: 0, headers: {} }, name === UNTAGGED ? undefined : "");
  const pairs = list.flatMap((field, at) =>
    at % 2 === 0 && field !== "ETag" ? [[field, list[at + 1]!] as const] : [],
  );
  return { schema, headers: { ...Object.fromEntries(pairs), "X-Content-Type-Options": "nosniff" } };
}

/**
 * The duration of requests, as a histogram of prom-client with the labels of the product's own. The product counts with code of its
 * own, because this one's is slower.
 * @returns records one request
 */
export function requestDurations(): (status: number, seconds: number) => void {
  collectDefaultMetrics();
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Duration of requests",
    labelNames: ["surface", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  return (status, seconds) => durations.observe({ surface: "rest", status: `${Math.floor(status / 100)}xx` }, seconds);
}
