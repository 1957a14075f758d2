import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../service/listen.ts";

/** What becomes of the answer to a request that a proxy was told of: it waits for its release, or is lost. */
export interface Slowed {
  /** The request has come; its answer is there, and held back. */
  readonly come: Promise<void>;
  /** Sends the answer. */
  release(): void;
  /** Cuts the connection: the answer never comes. */
  cut(): void;
  /** How often such a request has come. */
  readonly requests: number;
}

/** A proxy before a service, by which a browser has a slow network. Nothing waits for a time: each answer for its test. */
export interface SlowProxy {
  readonly url: string;
  /** Holds answers back from now on. @param method of the requests @param path of the requests */
  hold(method: string, path: RegExp): Slowed;
  close(): Promise<void>;
}

interface Rule {
  readonly method: string;
  readonly path: RegExp;
  readonly pending: (readonly [ServerResponse, send: () => void])[];
  isReleased: boolean;
  requests: number;
  come(): void;
}

/** A browser sends a request a second time by itself where a connection that it has used before is cut. */
const UNSHARED = { connection: "close" };

export async function slowProxy(upstream: string): Promise<SlowProxy> {
  const { hostname, port, host, origin } = new URL(upstream);
  let rules: readonly Rule[] = [];
  const pass = (req: IncomingMessage, res: ServerResponse) => {
    const { "accept-encoding": _, ...headers } = req.headers;
    // The service sees its own address, as behind a proxy that passes it on.
    const named = { ...headers, host, ...(headers.origin ? { origin } : {}) };
    const passed = request({ hostname, port, path: req.url, method: req.method, headers: named }, async (answer) => {
      const body = await buffer(answer);
      const { "content-length": __, "transfer-encoding": ___, ...kept } = answer.headers;
      const location = kept.location?.replace(origin, url);
      const send = () =>
        res.writeHead(answer.statusCode!, { ...kept, ...(location ? { location } : {}), ...UNSHARED }).end(body);
      const rule = rules.find(({ method, path }) => req.method === method && path.test(req.url!));
      if (rule) rule.requests += 1;
      if (!rule || rule.isReleased) return send();
      rule.pending.push([res, send]);
      rule.come();
    });
    req.pipe(passed);
  };
  const { url, close } = await listen(pass);
  return {
    url,
    close,
    hold(method, path) {
      let begin: () => void = () => undefined;
      const come = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const rule: Rule = { method, path, pending: [], isReleased: false, requests: 0, come: begin };
      rules = [rule, ...rules];
      const end = (each: (res: ServerResponse, send: () => void) => void) => {
        rule.isReleased = true;
        for (const [res, send] of rule.pending.splice(0)) each(res, send);
      };
      return {
        come,
        release: () => end((_, send) => send()),
        cut: () => end((res) => res.destroy()),
        get requests() {
          return rule.requests;
        },
      };
    },
  };
}
