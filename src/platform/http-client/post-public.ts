import type { Readable } from "node:stream";
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
  /** Whether the answer's body is wanted. The time limit is for it, too. */
  readonly isBodyRead?: boolean;
}

/** An answer to a POST. */
export interface PostResponse {
  readonly status: number;
  /** Lower-case names; repeated ones joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The first READ_BYTES of the body; empty where it is not wanted. */
  readonly text: string;
}

/** Most bytes of a response that are read: if nobody wants them, they are dropped, so that its connection can be used again. */
const READ_BYTES = 16 * 1024;

/** POST to a URL that a stranger chose. A redirect is an answer like any other. @throws FetchFailure */
export async function postPublic(
  { agent, ports, userAgent }: PublicFetcher,
  url: string,
  { headers, body, timeMs, signal, isBodyRead = false }: PostOptions,
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
    const answer = { status: response.statusCode, headers: headersOf(response.headers) };
    if (isBodyRead) return { ...answer, text: await deadline.before(firstOf(response.body)) };
    await deadline.before(response.body.dump({ limit: READ_BYTES })).catch(() => response.body.destroy());
    return { ...answer, text: "" };
  } catch (thrown) {
    throw fetchFailureOf(thrown);
  } finally {
    deadline.cancel();
  }
}

/** The beginning of a body; the rest is not read. */
async function firstOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= READ_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, READ_BYTES).toString();
}
