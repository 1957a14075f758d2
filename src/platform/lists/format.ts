export type SitemapFormat = "urlset" | "index" | "text" | "rss" | "atom";

/**
 * Called with every address in document order, and with the time of its last modification, in seconds since 1970. The
 * time is null if the document does not say, or if nobody asked.
 */
export type OnEntry = (address: string, modified: number | null) => void;

/** Parses a document chunk by chunk. @throws UnreadableList */
export interface Reader {
  write(text: string): void;
  /** Ends the document. @returns its format */
  end(): SitemapFormat;
}
