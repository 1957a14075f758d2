import type { Access } from "../../domain/projects/access.ts";

/** Why a page must not be sent, or asks not to be indexed. */
export type PageRefusal = "host_not_public" | "http_404" | "http_410" | "noindex" | "robots_disallowed";

export interface PageReport {
  readonly refusal: PageRefusal | null;
  /** Unusual facts that do not prevent submission: keys of PAGE_WARNINGS. */
  readonly warnings: readonly string[];
  /** Whom robots.txt or the page keeps out; absent where neither was read. */
  readonly access?: Access;
  /** When the page says that it was last changed, in real ms. */
  readonly changedAt?: number;
}

/** Fetches pages and reports whether they may be sent. */
export interface PageReader {
  /** Returns one report per link, in order, at `deadline` (real ms) at the latest, with what is known by then. */
  check(urls: readonly string[], deadline: number): Promise<PageReport[]>;
}
