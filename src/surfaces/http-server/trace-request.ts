import type { IncomingMessage, ServerResponse } from "node:http";
import { type RequestContext, runInRequest } from "../../platform/request-context.ts";
import type { Tracer } from "../../platform/telemetry.ts";
import { type Log, logsRequests } from "./log.ts";
import { isFullySent } from "./send-response.ts";

export interface RequestTracing {
  readonly tracer: Tracer;
  readonly log: Log;
  /** The surface that answers: rest, mcp, a2a, … */
  readonly surface: string;
}

/** Traces a request as one span, until its response is closed; a stream is one request too. */
export function traceRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { tracer, log, surface }: RequestTracing,
  work: () => Promise<void>,
): Promise<void> {
  const method = METHODS.has(req.method!) ? req.method! : "other";
  const { traceparent } = req.headers;
  const parent = typeof traceparent === "string" ? traceparent : undefined;
  // Only a log line of its own needs to know what happened in the request.
  const isLogged = logsRequests(log);
  const startedAt = performance.now();
  const proxies = proxiesOf(req);
  if (tracer.recordRequest && !isLogged) {
    res.on("close", () => {
      tracer.recordRequest!({ surface, proxies, class: statusClassOf(res) }, (performance.now() - startedAt) / 1000);
    });
    return work();
  }
  const span = {
    kind: "request",
    name: `${method} ${surface}`,
    attributes: { method, surface, proxies },
    traceparent: parent,
  } as const;
  return tracer.span(span, async (setAttributes) => {
    const context: RequestContext = {};
    const closed = new Promise((resolve) => res.once("close", resolve));
    await (isLogged ? runInRequest(context, work) : work());
    await closed;
    const status = res.headersSent ? res.statusCode : 0;
    setAttributes({ status, class: statusClassOf(res) });
    if (!isLogged) return;
    const ms = Math.round(performance.now() - startedAt);
    log.debug!({ method: req.method, path: req.url!.split("?")[0], status, ms, ...context }, "request");
  });
}

/** `2xx` to `5xx`, or `aborted`: if the caller has disconnected, the status does not tell how the request ended. */
export function statusClassOf(res: ServerResponse): string {
  return isFullySent(res) ? `${Math.floor(res.statusCode / 100)}xx` : "aborted";
}

/** The methods that become labels. Any other is labelled `other`: callers can make up methods, and labels need a bounded set. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** How many proxies have named the address before them in X-Forwarded-For; 3 stands for more, since labels need a bounded set. */
function proxiesOf({ headers }: IncomingMessage): number {
  const forwarded = headers["x-forwarded-for"];
  return forwarded === undefined ? 0 : Math.min(3, String(forwarded).split(",").length);
}
