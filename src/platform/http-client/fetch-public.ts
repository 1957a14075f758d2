import type { Agent, Dispatcher } from "undici";
import { codingOf, readBody } from "./body.ts";
import { FetchFailure, failureOf } from "./failure.ts";
import { headersOf } from "./headers.ts";
import type { Visit, VisitOptions } from "./http-client.ts";
import type { HttpLimits } from "./limits.ts";
import { type Ending, endingIn } from "./stream-end.ts";
import { isRedirect, type Ports, redirected, targetOf } from "./target.ts";

/** What a visit leaves by. */
export interface Door {
  /** Its connector is guarded. */
  readonly agent: Agent;
  readonly ports: Ports;
  readonly userAgent: string;
  readonly limits: HttpLimits;
}

/** @throws FetchFailure */
export async function visit(door: Door, url: string, options: VisitOptions): Promise<Visit> {
  const ending = endingIn(options.timeMs, options.signal);
  try {
    let target = targetOf(url, door.ports);
    for (let left = options.redirects ?? 5; ; left--) {
      const answer = await ending.before(get(door, target, options.accept, ending.signal));
      // A body that is let go of, or cut off, fails where nobody may be listening.
      answer.body.on("error", () => undefined);
      if (!isRedirect(answer.statusCode)) return visitOf(door, target, answer, options, ending);
      answer.body.destroy();
      if (left <= 0) throw new FetchFailure("too_many_redirects");
      target = redirected(target, answer.headers.location, door.ports, options.sameHost ?? false);
    }
  } catch (thrown) {
    ending.cancel();
    throw failureOf(thrown);
  }
}

function get({ agent, userAgent }: Door, target: URL, accept: string, signal: AbortSignal) {
  return agent.request({
    method: "GET",
    origin: target.origin,
    path: `${target.pathname}${target.search}`,
    headers: { "User-Agent": userAgent, Accept: accept, "Accept-Encoding": "gzip" },
    signal,
  });
}

function visitOf(
  { limits }: Door,
  target: URL,
  { statusCode, headers: raw, body }: Dispatcher.ResponseData,
  { wireBytes, bytes }: VisitOptions,
  ending: Ending,
): Visit {
  const headers = headersOf(raw);
  const sizes = { declared: headers["content-length"], wireBytes, bytes };
  const read = async function* () {
    try {
      yield* readBody(body, codingOf(headers["content-encoding"]), sizes, limits);
    } finally {
      ending.cancel();
    }
  };
  return {
    status: statusCode,
    url: target.href,
    headers,
    body: read(),
    drop() {
      body.destroy();
      ending.cancel();
    },
  };
}
