import type { ListFormat } from "../format.ts";

/** An XML format, and where its addresses are. */
export interface Dialect {
  readonly format: ListFormat;
  readonly root: string;
  /** Whether a namespace URI is the format's own. It is empty for an element without a namespace. */
  namespace(uri: string): boolean;
  /** Path from the root to the element with the address. Elements of other namespaces never match. */
  readonly address: string;
  /**
   * Path to the element of a page, and to the element in it with the time of its last modification. An index has
   * none.
   */
  readonly entry: string;
  readonly modified: string;
  /** The address, for formats that have it in an attribute. Null for an element without an address. */
  hrefOf?(attributes: Attributes): string | null;
  /** An element whose text is the address of an entry that has no other one, unless its attributes say otherwise. */
  readonly substitute?: { readonly path: string; isAddress(attributes: Attributes): boolean };
}

type Attributes = Readonly<Record<string, string>>;

/** Sitemaps 0.9, Google's original 0.84, and their misspellings, but not the image, video and news extensions. */
const SITEMAP = /^$|^https?:\/\/(www\.)?(sitemaps\.org|google\.com)\/schemas\/sitemap\/\d+\.\d+\/?$/;
const RSS = /^$|^http:\/\/backend\.userland\.com\/rss2?$/i;
/** The relation by name or by address (RFC 4287 section 4.2.7.2). */
const ALTERNATE = /^\s*(?:http:\/\/www\.iana\.org\/assignments\/relation\/)?alternate\s*$/i;
const ATOM = /^$|^http:\/\/www\.w3\.org\/2005\/Atom$|^http:\/\/purl\.org\/atom\/ns#$/;

export const DIALECTS: readonly Dialect[] = [
  {
    format: "urlset",
    root: "urlset",
    namespace: (uri) => SITEMAP.test(uri),
    address: "urlset/url/loc",
    entry: "urlset/url",
    modified: "urlset/url/lastmod",
  },
  {
    format: "index",
    root: "sitemapindex",
    namespace: (uri) => SITEMAP.test(uri),
    address: "sitemapindex/sitemap/loc",
    entry: "",
    modified: "",
  },
  {
    format: "rss",
    root: "rss",
    namespace: (uri) => RSS.test(uri),
    address: "rss/channel/item/link",
    entry: "rss/channel/item",
    modified: "rss/channel/item/pubDate",
    // A guid is a permalink unless it says that it is none (RSS 2.0).
    substitute: {
      path: "rss/channel/item/guid",
      isAddress: ({ isPermaLink = "true" }) => isPermaLink.trim().toLowerCase() !== "false",
    },
  },
  {
    format: "atom",
    root: "feed",
    namespace: (uri) => ATOM.test(uri),
    address: "feed/entry/link",
    entry: "feed/entry",
    modified: "feed/entry/updated",
    hrefOf: ({ rel = "alternate", type = "text/html", href = "" }) =>
      ALTERNATE.test(rel) && /html/i.test(type) ? href : null,
  },
];
