import type { InvalidReason } from "../urls/urls.ts";

export type ListFormat = "urlset" | "index" | "text" | "rss" | "atom";

/** Where an entry of a text is, and why it is no URL although it may look like one. */
export interface Found {
  /** From 1. */
  readonly line: number;
  readonly problem?: InvalidReason | undefined;
}

/**
 * Called with every address in document order, and with the time of its last modification, in seconds since 1970. The
 * time is null if the document does not say, or if nobody asked. Only texts say where the address is.
 */
export type OnEntry = (address: string, modified: number | null, found?: Found) => void;

/** Parses a document chunk by chunk. @throws UnreadableList */
export interface Reader {
  write(text: string): void;
  /** Ends the document. @returns its format */
  end(): ListFormat;
}
