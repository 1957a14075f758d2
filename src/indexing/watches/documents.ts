import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { NotModified, type OpenedSitemap, openSitemap } from "../sitemap/fetch.ts";
import { SITEMAP_LIMITS } from "../sitemap/limits.ts";

/** A document of the last reading, and by what a request for it can be made conditional (RFC 9110 section 13.1). */
export interface ReadDocument {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
}

/** An index of more sitemaps is always read as a whole. */
const MAX_DOCUMENTS = 50;

/** Longest ETag that is kept, in characters. */
const MAX_TAG = 200;

/** Gathers the documents of a reading. */
export class DocumentRecorder {
  readonly #documents: ReadDocument[] = [];
  #isWhole = true;

  onOpened(url: string, { etag, lastModified }: OpenedSitemap): void {
    const document = { url, etag: sendable(etag), modified: sendable(lastModified) };
    this.#documents.push(document);
    this.#isWhole &&= document.etag !== undefined || document.modified !== undefined;
  }

  /** JSON of the documents; null where a conditional request for all of them is not possible. */
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

/** Whether all documents are as they were. The first one that is not ends it. @throws Refusal sitemap_unreachable */
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

/** What a server sent goes into a header again: only where it is a plain one. */
function sendable(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= MAX_TAG && /^[\x20-\x7e]+$/.test(value) ? value : undefined;
}
