import { listen } from "../support/service/listen.ts";

/** A request on its way to the server behind. */
export interface ProxiedRequest {
  /** `POST /settle`, say. */
  readonly what: string;
  readonly body: string;
  /** Lets it through, or another body in its place. @returns what the server behind answers */
  pass(body?: string): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** What becomes of a request; `cut` drops the connection without a word. */
export type Fault = (request: ProxiedRequest) => Promise<Reply | "cut">;

/** Somebody between the service and a server it trusts, who can hold back, lose and change what either says. */
export interface FaultProxy {
  readonly url: string;
  /** Everything that was asked, in order. */
  readonly asked: string[];
  /** Null: all is passed on as it is. */
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
      const sent = { method: req.method!, headers: { "Content-Type": "application/json" } };
      const answer = await fetch(target, req.method === "POST" ? { ...sent, body: passed } : sent);
      return { status: answer.status, body: await answer.text() };
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

/** Does something of one's own before a request is passed on. @param path of the facilitator, e.g. `/settle` */
export function before(path: string, work: () => Promise<unknown>): Fault {
  return async ({ what, pass }) => {
    if (what.endsWith(path)) await work();
    return pass();
  };
}

/** Is cut off whenever it is asked this. */
export function cutAt(path: string): Fault {
  return async ({ what, pass }) => (what.endsWith(path) ? "cut" : pass());
}

/** An answer in JSON. */
export function says(body: unknown, status = 200): Reply {
  return { status, body: JSON.stringify(body) };
}
