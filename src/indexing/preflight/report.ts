/** Why a page must not be sent, or asks not to be indexed. */
export type PageRefusal = "host_not_public" | "http_404" | "http_410" | "noindex" | "robots_disallowed";

export interface PageReport {
  readonly refusal: PageRefusal | null;
  /** Unusual facts that do not prevent submission: keys of PAGE_WARNINGS. */
  readonly warnings: readonly string[];
}

/** Fetches pages and reports whether they may be sent. */
export interface PageReader {
  /** Returns one report per link, in order, at `deadline` (real ms) at the latest, with what is known by then. */
  check(urls: readonly string[], deadline: number): Promise<PageReport[]>;
}
