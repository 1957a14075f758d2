import { deadlineIn } from "./deadline.ts";
import { fetchFailureOf } from "./failure.ts";
import type { PublicFetcher } from "./fetch-public.ts";
import { headersOf } from "./headers.ts";
import { targetOf } from "./target.ts";

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time limit from the lookup of the name to the end of the response headers, in ms. */
  readonly timeMs: number;
  readonly signal?: AbortSignal;
}

/** An answer to a POST, whose body nobody reads. */
export interface PostResponse {
  readonly status: number;
  /** Lower-case names; repeated ones joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes of a response that are read and dropped, so that its connection can be used again. */
const DROPPED_BYTES = 16 * 1024;

/** POST to a URL that a stranger chose. A redirect is an answer like any other. @throws FetchFailure */
export async function postPublic(
  { agent, ports, userAgent }: PublicFetcher,
  url: string,
  { headers, body, timeMs, signal }: PostOptions,
): Promise<PostResponse> {
  const deadline = deadlineIn(timeMs, signal);
  try {
    const target = targetOf(url, ports);
    const request = agent.request({
      method: "POST",
      origin: target.origin,
      path: `${target.pathname}${target.search}`,
      headers: { ...headers, "User-Agent": userAgent },
      body,
      signal: deadline.signal,
    });
    const response = await deadline.before(request);
    response.body.on("error", () => undefined);
    await deadline.before(response.body.dump({ limit: DROPPED_BYTES })).catch(() => response.body.destroy());
    return { status: response.statusCode, headers: headersOf(response.headers) };
  } catch (thrown) {
    throw fetchFailureOf(thrown);
  } finally {
    deadline.cancel();
  }
}
