import { createHash } from "node:crypto";
import { FetchFailure, type HttpClient } from "../../../src/platform/http-client/http-client.ts";

/** A page of a sitemap. */
export interface Page {
  readonly url: string;
  /** The text of its `<lastmod>`; absent: none. */
  readonly lastmod?: string;
}

/** What a document answers: its text, or a status. */
type Answer = { readonly text: string; readonly type?: string } | { readonly status: number };

/** A website without sockets: its documents, by URL, with an ETag each. */
export class VirtualSite {
  readonly #answers = new Map<string, Answer>();
  #isConditional = true;
  /** Requests so far: answered in full, and by 304. */
  full = 0;
  notModified = 0;

  serve(url: string, text: string): void {
    this.#answers.set(url, { text });
  }

  fail(url: string, status: number): void {
    this.#answers.set(url, { status });
  }

  /** From now on it sends no ETag. */
  sendNoTags(): void {
    this.#isConditional = false;
  }

  readonly http: HttpClient = {
    fetchPublic: async (url, { headers }) => {
      const answer = this.#answers.get(url);
      if (!answer) throw new FetchFailure("unresolved");
      const text = "text" in answer ? answer.text : "";
      const etag = `"${createHash("sha1").update(text).digest("base64")}"`;
      const isSame = this.#isConditional && headers?.["If-None-Match"] === etag;
      const status = "status" in answer ? answer.status : isSame ? 304 : 200;
      if (status === 200) this.full += 1;
      if (status === 304) this.notModified += 1;
      return {
        status,
        url,
        headers: this.#isConditional ? { etag } : {},
        headerLines: () => [],
        body: (async function* () {
          yield Buffer.from(text);
        })(),
        discard: () => undefined,
      };
    },
    postPublic: () => Promise.reject(new Error("no POST")),
    checkPublic: async () => undefined,
    hasNameIn: async () => null,
    callApi: () => Promise.reject(new Error("no API")),
    close: async () => undefined,
  };
}

export function sitemapOf(pages: readonly Page[]): string {
  const entries = pages.map(({ url, lastmod }) => {
    const date = lastmod === undefined ? "" : `<lastmod>${lastmod}</lastmod>`;
    return `<url><loc>${url.replaceAll("&", "&amp;")}</loc>${date}</url>`;
  });
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("\n")}</urlset>`;
}

/** Pages /1 to /n of example.com, all with the same date. */
export function pagesOf(count: number, lastmod?: string, host = "example.com"): Page[] {
  return Array.from({ length: count }, (_, at) => ({
    url: `https://${host}/${at + 1}`,
    ...(lastmod ? { lastmod } : {}),
  }));
}
