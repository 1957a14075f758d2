import type { Attributes } from "../../platform/telemetry.ts";
import type { Sources } from "./sources.ts";

/** A value, and the values of its metric's labels in their order. */
export type Sample = readonly [value: number, ...labels: string[]];

/** A request or a step that is over. */
export interface Ended {
  readonly attributes: Attributes;
  readonly seconds: number;
  readonly failed: boolean;
}

interface Described {
  readonly help: string;
  readonly labels: readonly string[];
  /** What only the documents say of it. */
  readonly note?: string;
}

/** A metric of what this process has done: a sample is added to it at the end of a request or a step. */
export type ObservedMetric = Described & {
  readonly at: "request" | "step";
  readonly samples: (ended: Ended) => readonly Sample[];
} & (
    | { readonly kind: "counter" }
    | {
        readonly kind: "histogram";
        /** Upper bounds of its buckets. */
        readonly bounds: readonly number[];
      }
  );

/** A metric whose values are kept elsewhere, e.g. in the database. */
export interface ReadMetric extends Described {
  readonly kind: "gauge" | "counter";
  /** Its values at a request for metrics. A value that is not known is left out. */
  readonly read: (sources: Sources) => readonly Sample[] | Promise<readonly Sample[]>;
  /** Whether this process has such a metric; without it, every process has. */
  readonly exists?: (sources: Sources) => boolean;
}
