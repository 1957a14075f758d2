import { request } from "undici";
import { listen } from "../support/service/listen.ts";

/** A request that the proxy has received. */
export interface ProxiedRequest {
  /** Method and path, e.g. `POST /settle`. */
  readonly what: string;
  readonly body: string;
  /** Forwards the request, or another body in its place. @returns the response of the server */
  pass(body?: string): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Decides about a request; `cut` drops the connection without a response. */
export type Fault = (request: ProxiedRequest) => Promise<Reply | "cut">;

/** A proxy in front of a server, which can delay, drop and change requests and responses. */
export interface FaultProxy {
  readonly url: string;
  /** Method and path of each request, in order. */
  readonly asked: string[];
  /** Null: everything is forwarded unchanged. */
  fault: Fault | null;
  close(): Promise<void>;
}

/** @param port default: a free one */
export async function startFaultProxy(behind: string, port = 0): Promise<FaultProxy> {
  const asked: string[] = [];
  const state: { fault: Fault | null } = { fault: null };
  const server = await listen(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const what = `${req.method} ${req.url}`;
    asked.push(what);
    const pass = async (passed = body): Promise<Reply> => {
      const target = `${behind}${req.url === "/" ? "" : req.url}`;
      // A fourth of what `fetch` costs: some tests ask ten thousand times.
      const answer = await request(target, {
        method: req.method as "GET" | "POST",
        headers: { "Content-Type": "application/json" },
        body: req.method === "POST" ? passed : null,
      });
      return { status: answer.statusCode, body: await answer.body.text() };
    };
    const reply = await (state.fault ? state.fault({ what, body, pass }) : pass()).catch(() => "cut" as const);
    if (reply === "cut") return void req.socket.destroy();
    res.writeHead(reply.status, { "Content-Type": "application/json" }).end(reply.body);
  }, port);
  return {
    url: server.url,
    asked,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    close: () => server.close(),
  };
}

/** Does some work before a request is forwarded. @param path e.g. `/settle` of a facilitator */
export function before(path: string, work: () => Promise<unknown>): Fault {
  return async ({ what, pass }) => {
    if (what.endsWith(path)) await work();
    return pass();
  };
}

/** Cuts the connection of requests to a path. */
export function cutAt(path: string): Fault {
  return async ({ what, pass }) => (what.endsWith(path) ? "cut" : pass());
}

/** A response with a JSON body. */
export function says(body: unknown, status = 200): Reply {
  return { status, body: JSON.stringify(body) };
}
