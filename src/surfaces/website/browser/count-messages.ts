import type { ListCount } from "../../../platform/urls/count.ts";
import type { ListFormat } from "../../../platform/urls/entries.ts";

/** A text to count. */
export interface CountRequest {
  /** Counts up, so that an answer that comes too late is recognised. */
  readonly id: number;
  readonly text: string;
  readonly format: ListFormat;
}

export interface CountAnswer {
  readonly id: number;
  readonly count: ListCount;
  /** The entries of a file, one per line. */
  readonly lines?: string;
}
