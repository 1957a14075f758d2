/** Why a page must not be sent, or asks to be left out of the index. */
export type PageRefusal = "host_not_public" | "http_404" | "http_410" | "noindex" | "robots_disallowed";

export interface PageReport {
  readonly refusal: PageRefusal | null;
  /** What is odd and no reason to hold the page back: words of PAGE_WARNINGS. */
  readonly warnings: readonly string[];
}

/** Reads pages themselves. */
export interface PageReader {
  /** One report per link, in order. Ends by itself at `deadline` (real ms), with what it has until then. */
  look(urls: readonly string[], deadline: number): Promise<PageReport[]>;
}
