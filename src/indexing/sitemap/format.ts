export type SitemapFormat = "urlset" | "index" | "text" | "rss" | "atom";

/** Reads a document piece by piece. @throws Refusal sitemap_invalid */
export interface Reader {
  write(text: string): void;
  /** @returns the format, known at the latest now */
  end(): SitemapFormat;
}
