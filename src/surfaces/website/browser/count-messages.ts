import type { ListCount } from "../../../platform/lists/words.ts";

/** A text to count; with `file`, a file whose URLs are added to it; with `addHttps`, lines that are to get a scheme. */
export interface CountRequest {
  /** Counts up, so that an answer that comes too late is recognised. */
  readonly id: number;
  readonly text: string;
  readonly file?: ArrayBuffer;
  readonly addHttps?: boolean;
}

export interface CountAnswer {
  readonly id: number;
  /** Of the text, or of the file alone. Null: it cannot be read. */
  readonly count: ListCount | null;
  /** Why it cannot be read. */
  readonly problem?: string;
  /** The text that takes the place of the one that was sent. */
  readonly text?: string;
}
