import { Refusal } from "../../platform/errors/errors.ts";
import { contentTypeOf } from "../../platform/http-client/content-type.ts";
import {
  FETCH_DETAILS,
  FetchFailure,
  type FetchOptions,
  type FetchProblem,
  type HttpClient,
  type PublicResponse,
} from "../../platform/http-client/http-client.ts";
import { retryAfterMs } from "../../platform/http-client/retry-after.ts";
import { invalidSitemap } from "./limits.ts";

/** A document whose body has not been read yet. */
export interface OpenedSitemap {
  /** The URL after all redirects. */
  readonly url: string;
  /** The values of the headers ETag and Last-Modified. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly charset: string | null;
  /** Throws Refusal sitemap_unreachable or sitemap_invalid. Read it to the end, or call `discard`. */
  readonly body: AsyncIterable<Buffer>;
  discard(): void;
}

const ACCEPT = "application/xml, text/xml, application/rss+xml, application/atom+xml, text/plain;q=0.9, */*;q=0.5";

/** Problems in reaching the document. The two that are left out are problems of the document itself. */
const UNREACHABLE: Record<Exclude<FetchProblem, "broken" | "too_large">, string> = {
  bad_url: "its address is not an http or https URL",
  not_public: "its address is not public",
  unresolved: "its host name does not resolve",
  unreachable: "its server does not answer as a web server",
  timeout: "its server took too long",
  too_many_redirects: "it redirects too often",
  left_host: "it redirects to another host",
};

/** The document has not changed since its ETag or Last-Modified was received. */
export class NotModified extends Error {
  override readonly name = "NotModified";
}

/** Waits before a document is requested again. @returns false if there is no time for that */
export type Pause = (ms: number) => Promise<boolean>;

/** Statuses that say when to come back, by Retry-After. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** How often a document is requested again. */
const MOST_RETRIES = 3;

/**
 * Requests a document, and again when its server is busy and says how long.
 * @throws NotModified
 * @throws Refusal sitemap_unreachable, with `reason`
 */
export async function openSitemap(
  http: HttpClient,
  url: string,
  options: Omit<FetchOptions, "accept">,
  pause: Pause = async () => false,
): Promise<OpenedSitemap> {
  for (let left = MOST_RETRIES; ; left--) {
    const response = await requested(http, url, options);
    if (response.status === 200) return openedOf(response);
    response.discard();
    if (response.status === 304 && options.headers) throw new NotModified();
    const ms = BUSY.has(response.status) && left > 0 ? retryAfterMs(response.headers, Date.now()) : undefined;
    if (ms === undefined || !(await pause(ms)))
      throw notFetched(`its server answered with status ${response.status}`, `http_${response.status}`);
  }
}

async function requested(http: HttpClient, url: string, options: Omit<FetchOptions, "accept">) {
  return http.fetchPublic(url, { ...options, accept: ACCEPT }).catch((thrown) => {
    throw thrown instanceof FetchFailure ? unreachable(thrown) : thrown;
  });
}

function openedOf(response: PublicResponse): OpenedSitemap {
  const { etag, "last-modified": lastModified } = response.headers;
  return {
    url: response.url,
    etag,
    lastModified,
    charset: contentTypeOf(response.headerLines("content-type"))?.charset ?? null,
    body: withRefusals(response.body),
    discard: () => response.discard(),
  };
}

/** The refusal for a document of which not even the response headers came. */
export function unreachable({ problem, detail }: Pick<FetchFailure, "problem" | "detail">): Refusal {
  if (detail) return notFetched(FETCH_DETAILS[detail], detail);
  const reason = problem === "broken" || problem === "too_large" ? "unreachable" : problem;
  return notFetched(UNREACHABLE[reason], reason);
}

export function tooSlow(): Refusal {
  return notFetched(UNREACHABLE.timeout, "timeout");
}

async function* withRefusals(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (thrown) {
    throw refusalOf(thrown);
  }
}

/** The refusal for a failed fetch; anything else is returned as it is. */
function refusalOf(thrown: unknown): unknown {
  if (!(thrown instanceof FetchFailure)) return thrown;
  if (thrown.problem === "too_large")
    return invalidSitemap("it is too large; split it, and list the parts in a sitemap index");
  if (thrown.problem === "broken") return invalidSitemap(FETCH_DETAILS[thrown.detail ?? "cut_short"]);
  return unreachable(thrown);
}

function notFetched(why: string, reason: string): Refusal {
  return new Refusal("sitemap_unreachable", `The sitemap could not be fetched: ${why}. Nothing was spent.`, { reason });
}
