import type { Agent, Dispatcher } from "undici";
import { readBody } from "./body.ts";
import { codingsOf } from "./content-codings.ts";
import { type Deadline, deadlineIn } from "./deadline.ts";
import { FetchFailure, fetchFailureOf } from "./failure.ts";
import { headersOf } from "./headers.ts";
import type { HttpLimits } from "./limits.ts";
import { isRedirect, type Ports, redirectTarget, type SameHost, targetOf } from "./target.ts";

export interface FetchOptions {
  /** The header Accept. */
  readonly accept: string;
  /** Other headers, such as the ones of a conditional request. They are sent after redirects too. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit for the whole fetch, redirects and body included, in ms. */
  readonly timeMs: number;
  /** Most bytes of the body as sent, with its Content-Encoding. */
  readonly maxWireBytes: number;
  /** Most bytes of the decoded body. */
  readonly maxBytes: number;
  /** Redirects followed; default 5. */
  readonly redirects?: number;
  /** Follows a redirect only to the same host, and never from https to http. `or_www`: also to the host with or without `www.`. */
  readonly sameHost?: SameHost;
  readonly signal?: AbortSignal;
}

export interface PublicResponse {
  readonly status: number;
  /** The URL that the last redirect led to. */
  readonly url: string;
  /** Lower-case names; repeated ones joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of a header, one for each line that has it. @param name in lower case */
  headerLines(name: string): readonly string[];
  /** Decoded; throws FetchFailure `too_large`, `timeout`, `broken`. Read it to the end, or call `discard`. */
  readonly body: AsyncIterable<Buffer>;
  /** Ends the transfer of a body that is not wanted. */
  discard(): void;
}

/** What every fetch of the public web shares. */
export interface PublicFetcher {
  /** Connects to allowed addresses only (connect.ts). */
  readonly agent: Agent;
  readonly ports: Ports;
  readonly userAgent: string;
  readonly limits: HttpLimits;
}

/** GET of a URL that a stranger chose. @throws FetchFailure */
export async function fetchPublic(fetcher: PublicFetcher, url: string, options: FetchOptions): Promise<PublicResponse> {
  const deadline = deadlineIn(options.timeMs, options.signal);
  try {
    let target = targetOf(url, fetcher.ports);
    for (let left = options.redirects ?? 5; ; left--) {
      const response = await deadline.before(get(fetcher, target, options, deadline.signal));
      // A body that is discarded or cut off emits an error, which would end the process without a listener.
      response.body.on("error", () => undefined);
      if (!isRedirect(response.statusCode)) return responseOf(fetcher, target, response, options, deadline);
      response.body.destroy();
      if (left <= 0) throw new FetchFailure("too_many_redirects");
      target = redirectTarget(target, response.headers.location, fetcher.ports, options.sameHost ?? false);
    }
  } catch (thrown) {
    deadline.cancel();
    throw fetchFailureOf(thrown);
  }
}

function get({ agent, userAgent }: PublicFetcher, target: URL, { accept, headers }: FetchOptions, signal: AbortSignal) {
  return agent.request({
    method: "GET",
    origin: target.origin,
    path: `${target.pathname}${target.search}`,
    headers: { ...headers, "User-Agent": userAgent, Accept: accept, "Accept-Encoding": "gzip" },
    signal,
  });
}

function responseOf(
  { limits }: PublicFetcher,
  target: URL,
  { statusCode, headers: raw, body }: Dispatcher.ResponseData,
  { maxWireBytes, maxBytes }: FetchOptions,
  deadline: Deadline,
): PublicResponse {
  const headers = headersOf(raw);
  const sizes = { declared: headers["content-length"], maxWireBytes, maxBytes };
  const read = async function* () {
    try {
      yield* readBody(body, codingsOf(headers["content-encoding"]), sizes, limits);
    } finally {
      deadline.cancel();
    }
  };
  return {
    status: statusCode,
    url: target.href,
    headers,
    headerLines: (name) => [raw[name] ?? []].flat(),
    body: read(),
    discard() {
      body.destroy();
      deadline.cancel();
    },
  };
}
