import { buffer as collected } from "node:stream/consumers";
import type { Agent, Dispatcher } from "undici";
import { codingsOf, undone } from "./content-codings.ts";
import { ApiFailure } from "./failure.ts";
import { headersOf } from "./headers.ts";
import { HTTP_LIMITS } from "./limits.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time limit for the whole exchange, in ms. */
  readonly timeMs: number;
  /** Most bytes of the response body; default 16 MiB. */
  readonly maxBytes?: number;
}

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names; repeated ones joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Calls an API with JSON and returns its response, whatever status it has.
 * @throws ApiFailure
 */
export async function callApi(agent: Agent, userAgent: string, request: ApiRequest): Promise<ApiResponse> {
  const maxBytes = request.maxBytes ?? MAX_BYTES;
  const { status, headers, body } = await exchange(agent, userAgent, request, maxBytes);
  const plain = await decoded(body, headers["content-encoding"], maxBytes).catch(() => {
    throw new ApiFailure("broken", true);
  });
  return { status, headers, text: new TextDecoder().decode(plain) };
}

interface RawResponse extends Omit<ApiResponse, "text"> {
  readonly body: Buffer;
}

/** Sends the request and collects the response. Once the request is handed to a connection it may have arrived. */
function exchange(agent: Agent, userAgent: string, request: ApiRequest, maxBytes: number): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let started: Dispatcher.DispatchController | undefined;
    let isOver = false;
    let response: Omit<RawResponse, "body"> | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;

    const end = () => {
      isOver = true;
      clearTimeout(timer);
    };
    const fail = (problem: ApiFailure["problem"]) => {
      end();
      reject(started ? new ApiFailure(problem, true) : new ApiFailure("unreachable", false));
      started?.abort(new Error(problem));
    };
    const timer = setTimeout(() => fail("timeout"), request.timeMs);

    try {
      agent.dispatch(optionsOf(request, userAgent), {
        onRequestStart(controller) {
          // The time limit came first: nothing has been written yet, and nothing will be.
          if (isOver) controller.abort(new Error("timeout"));
          else started = controller;
        },
        onResponseStart(_, status, headers) {
          // An interim response (1xx) is replaced by the one that follows it.
          response = { status, headers: headersOf(headers) };
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > maxBytes && !isOver) fail("broken");
        },
        onResponseEnd() {
          if (isOver) return;
          end();
          resolve({ ...response!, body: Buffer.concat(chunks) });
        },
        onResponseError() {
          if (!isOver) fail("broken");
        },
      });
    } catch {
      fail("unreachable");
    }
  });
}

/** @throws TypeError when the URL does not parse */
function optionsOf({ method, url, headers = {}, body }: ApiRequest, userAgent: string): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url);
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return {
    method,
    origin,
    path: `${pathname}${search}`,
    headers: { "user-agent": userAgent, accept: "application/json", "accept-encoding": "gzip", ...type, ...own },
    body: body ?? null,
  };
}

async function decoded(body: Buffer, header: string | undefined, maxBytes: number): Promise<Buffer> {
  const codings = codingsOf(header);
  if (codings?.length === 0) return body;
  return collected(undone(inOnePiece(body), codings, maxBytes, HTTP_LIMITS));
}

async function* inOnePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
