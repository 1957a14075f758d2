import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { SITEMAP_LIMITS } from "../../platform/lists/limits.ts";
import { NotModified, type OpenedSitemap, openSitemap } from "../sitemap/fetch.ts";

/** A document of the last reading, and the headers that make a request for it conditional (RFC 9110 section 13.1). */
export interface ReadDocument {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
}

/** An index with more sitemaps is always read as a whole. */
const MAX_DOCUMENTS = 50;

/** Longest ETag that is kept, in characters. */
const MAX_TAG = 200;

/** Records the documents of a reading. */
export class DocumentRecorder {
  readonly #documents: ReadDocument[] = [];
  #isWhole = true;

  onOpened(url: string, { etag, lastModified }: OpenedSitemap): void {
    const document = { url, etag: sendable(etag), modified: sendable(lastModified) };
    this.#documents.push(document);
    this.#isWhole &&= document.etag !== undefined || document.modified !== undefined;
  }

  /** JSON of the documents. Null if a conditional request is not possible for all of them. */
  text(): string | null {
    const canBeAsked = this.#isWhole && this.#documents.length > 0 && this.#documents.length <= MAX_DOCUMENTS;
    return canBeAsked ? JSON.stringify(this.#documents) : null;
  }
}

export function documentsIn(text: string | null): ReadDocument[] {
  return text === null ? [] : (JSON.parse(text) as ReadDocument[]);
}

export function conditionalHeaders({ etag, modified }: ReadDocument): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { "If-None-Match": etag }),
    ...(modified === undefined ? {} : { "If-Modified-Since": modified }),
  };
}

/** Whether no document has changed. The first one that has ends the search. @throws Refusal sitemap_unreachable */
export async function areUnchanged(
  http: HttpClient,
  documents: readonly ReadDocument[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { bytes } = SITEMAP_LIMITS;
  for (const document of documents) {
    const options = { timeMs: 60_000, maxWireBytes: bytes, maxBytes: bytes, ...(signal ? { signal } : {}) };
    try {
      const opened = await openSitemap(http, document.url, { ...options, headers: conditionalHeaders(document) });
      opened.discard();
      return false;
    } catch (thrown) {
      if (!(thrown instanceof NotModified)) throw thrown;
    }
  }
  return true;
}

/** The value, if it may go into a header again: a server sent it, so it has to be plain. */
function sendable(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= MAX_TAG && /^[\x20-\x7e]+$/.test(value) ? value : undefined;
}
