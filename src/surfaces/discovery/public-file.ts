/** A document that any machine may read, at an address of its own. */
export interface PublicFile {
  /** Where it is, without the origin. */
  readonly path: string;
  /** Where it was looked for once, or still is. */
  readonly aliases?: readonly string[];
  readonly mediaType: string;
  readonly text: string | ((asked: FileRequest) => string);
  /** The header that the text depends on. */
  readonly vary?: string;
  /** How long it may be kept, in seconds; default: an hour. */
  readonly maxAge?: number;
  /** Value of the header `Link` (RFC 8288). */
  readonly link?: string;
}

/** What a text may depend on. */
export interface FileRequest {
  /** Epoch ms. */
  readonly now: number;
  /** A header of the request. */
  header(name: string): string | undefined;
}
