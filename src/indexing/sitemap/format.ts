export type SitemapFormat = "urlset" | "index" | "text" | "rss" | "atom";

/** Parses a document chunk by chunk. @throws Refusal sitemap_invalid */
export interface Reader {
  write(text: string): void;
  /** Ends the document. @returns its format */
  end(): SitemapFormat;
}
