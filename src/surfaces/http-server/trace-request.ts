import type { IncomingMessage, ServerResponse } from "node:http";
import { type RequestContext, runInRequest } from "../../platform/request-context.ts";
import type { Tracer } from "../../platform/telemetry.ts";
import type { Log } from "./log.ts";
import { isFullySent } from "./send-response.ts";

export interface RequestTracing {
  readonly tracer: Tracer;
  readonly log: Log;
  /** Which part of the service answers. */
  readonly surface: string;
}

/** Answers one request as one span, from its first byte to the last of its answer; a stream is one request too. */
export function traceRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { tracer, log, surface }: RequestTracing,
  work: () => Promise<void>,
): Promise<void> {
  const method = METHODS.has(req.method!) ? req.method! : "other";
  const { traceparent } = req.headers;
  const parent = typeof traceparent === "string" ? traceparent : undefined;
  const begun = performance.now();
  const span = {
    kind: "request",
    name: `${method} ${surface}`,
    attributes: { method, surface },
    traceparent: parent,
  } as const;
  return tracer.span(span, async (setAttributes) => {
    const context: RequestContext = {};
    const closed = new Promise((resolve) => res.once("close", resolve));
    await runInRequest(context, work);
    await closed;
    const status = res.headersSent ? res.statusCode : 0;
    // Its caller went away: then no status says how it ended.
    const ending = isFullySent(res) ? `${Math.floor(status / 100)}xx` : "aborted";
    setAttributes({
      status,
      class: ending,
      ...(context.unavailable !== undefined && { unavailable: context.unavailable }),
    });
    const ms = Math.round(performance.now() - begun);
    log.debug?.({ method: req.method, path: req.url!.split("?")[0], status, ms, ...context }, "request");
  });
}

/** Any other method is a word of the caller's, and a label has to come from a bounded set. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
