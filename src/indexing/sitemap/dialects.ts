import type { SitemapFormat } from "./format.ts";

/** An XML format: where its addresses stand. */
export interface Dialect {
  readonly format: SitemapFormat;
  readonly root: string;
  /** Whether elements of this namespace (empty: of none) are the format's own. */
  namespace(uri: string): boolean;
  /** Path from the root to the element with the address; foreign elements never match. */
  readonly address: string;
  /** Where the address is an attribute: null for an element that does not count. */
  hrefOf?(attributes: Readonly<Record<string, string>>): string | null;
}

/** 0.9, the 0.84 that Google began with, and their misspellings; never the image, video and news extensions. */
const SITEMAP = /^$|^https?:\/\/(www\.)?(sitemaps\.org|google\.com)\/schemas\/sitemap\/\d+\.\d+\/?$/;
const ATOM = /^$|^http:\/\/www\.w3\.org\/2005\/Atom$|^http:\/\/purl\.org\/atom\/ns#$/;

export const DIALECTS: readonly Dialect[] = [
  { format: "urlset", root: "urlset", namespace: (uri) => SITEMAP.test(uri), address: "urlset/url/loc" },
  { format: "index", root: "sitemapindex", namespace: (uri) => SITEMAP.test(uri), address: "sitemapindex/sitemap/loc" },
  { format: "rss", root: "rss", namespace: (uri) => uri === "", address: "rss/channel/item/link" },
  {
    format: "atom",
    root: "feed",
    namespace: (uri) => ATOM.test(uri),
    address: "feed/entry/link",
    hrefOf: ({ rel = "alternate", type = "text/html", href = "" }) =>
      rel === "alternate" && /html/.test(type) ? href : null,
  },
];
