import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Agent, Dispatcher } from "undici";
import { codingOf } from "./body.ts";
import { AskFailure } from "./failure.ts";
import { headersOf } from "./headers.ts";
import type { Answered, Ask } from "./http-client.ts";

const MOST_BYTES = 16 * 1024 * 1024;

/** @throws AskFailure */
export async function ask(agent: Agent, userAgent: string, request: Ask): Promise<Answered> {
  const most = request.bytes ?? MOST_BYTES;
  const { status, headers, body } = await exchange(agent, userAgent, request, most);
  const plain = await decoded(body, headers["content-encoding"], most).catch(() => {
    throw new AskFailure("broken", true);
  });
  return { status, headers, text: new TextDecoder().decode(plain) };
}

interface Exchanged extends Omit<Answered, "text"> {
  readonly body: Buffer;
}

/** From the moment on in which the request is handed to a connection, it may have arrived. */
function exchange(agent: Agent, userAgent: string, request: Ask, most: number): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let started: Dispatcher.DispatchController | undefined;
    let isOver = false;
    let answer: Omit<Exchanged, "body"> | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;

    const end = () => {
      isOver = true;
      clearTimeout(timer);
    };
    const fail = (problem: AskFailure["problem"]) => {
      end();
      reject(started ? new AskFailure(problem, true) : new AskFailure("unreachable", false));
      started?.abort(new Error(problem));
    };
    const timer = setTimeout(() => fail("timeout"), request.timeMs);

    try {
      agent.dispatch(optionsOf(request, userAgent), {
        onRequestStart(controller) {
          // Too late: nothing has been written yet, and nothing will be.
          if (isOver) controller.abort(new Error("timeout"));
          else started = controller;
        },
        onResponseStart(_, status, headers) {
          // An interim answer (1xx) gives way to the one that follows it.
          answer = { status, headers: headersOf(headers) };
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > most && !isOver) fail("broken");
        },
        onResponseEnd() {
          if (isOver) return;
          end();
          resolve({ ...answer!, body: Buffer.concat(chunks) });
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

/** @throws TypeError when the address does not parse */
function optionsOf({ method, url, headers = {}, body }: Ask, userAgent: string): Dispatcher.DispatchOptions {
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

async function decoded(body: Buffer, encoding: string | undefined, most: number): Promise<Buffer> {
  const coding = codingOf(encoding);
  if (coding === "unknown") throw new Error("a coding that was not asked for");
  if (coding === "identity" || body.length === 0) return body;
  return promisify(gunzip)(body, { maxOutputLength: most });
}
