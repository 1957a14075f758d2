/** Limits of one document. Sizes are the ones in sitemaps.org/protocol.html. The other limits protect the parser. */
export const SITEMAP_LIMITS = {
  /** Bytes of a gzip file as received. An uncompressed document is limited by `bytes` only. */
  wireBytes: 10 * 1024 * 1024,
  /** Bytes of the document, decompressed. */
  bytes: 50 * 1024 * 1024,
  /**
   * Highest compression ratio of gzip, checked from `ratioFrom` decompressed bytes on. Ordinary sitemaps stay far
   * below it.
   */
  ratio: 200,
  ratioFrom: 1024 * 1024,
  depth: 16,
  /** Characters of an element's name. */
  name: 256,
  /** Attributes of one element, declarations of namespaces among them. */
  attributes: 1_000,
  /** Characters of one address. */
  address: 8 * 1024,
  /** Addresses of one entry, which should have one. */
  addresses: 1_000,
  /** Elements of an XML document, or lines of a text. */
  elements: 1_000_000,
  /** Characters of anything that the parser has to buffer as a whole: a tag, a comment or a text. */
  token: 4 * 1024 * 1024,
  /** Characters of a line of a text, which may have several addresses. */
  line: 256 * 1024,
} as const;

export type SitemapLimits = { readonly [K in keyof typeof SITEMAP_LIMITS]: number };

/** A document that is refused as a whole. */
export class UnreadableList extends Error {
  override readonly name = "UnreadableList";
  /** What is wrong, in our own words: the document was written by a stranger, and is never quoted. */
  readonly what: string;

  constructor(what: string) {
    super(`It is not a list that can be read: ${what}.`);
    this.what = what;
  }
}
