/** A public document for machines, with its path. */
export interface PublicFile {
  /** The path, without the origin. */
  readonly path: string;
  /** Other paths at which clients look for it. */
  readonly aliases?: readonly string[];
  readonly mediaType: string;
  readonly text: string | Uint8Array | ((request: FileRequest) => string | Uint8Array | Promise<string | Uint8Array>);
  /** The name under which browsers and tools save it; absent: it is shown. */
  readonly saveAs?: string;
  /** The request header that the text depends on. */
  readonly vary?: string;
  /** How long caches may keep it, in seconds; default: an hour. */
  readonly maxAge?: number;
  /** The value of the header `Link` (RFC 8288). */
  readonly link?: string;
}

/** The request for a file, as far as its text may depend on it. */
export interface FileRequest {
  /** Epoch ms. */
  readonly now: number;
  /** A header of the request. */
  header(name: string): string | undefined;
}
