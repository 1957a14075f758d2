import type { IncomingMessage, ServerResponse } from "node:http";
import { inRequest, type Known } from "../../platform/request-context.ts";
import type { Watch } from "../../platform/telemetry.ts";
import type { Log } from "./log.ts";
import { isWhole } from "./reply.ts";

export interface Watcher {
  readonly watch: Watch;
  readonly log: Log;
  /** Which part of the service answers. */
  readonly surface: string;
}

/** Answers one request, seen from its first byte to the last of its answer; a stream is one request too. */
export function watchedRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { watch, log, surface }: Watcher,
  work: () => Promise<void>,
): Promise<void> {
  const method = METHODS.has(req.method!) ? req.method! : "other";
  const { traceparent } = req.headers;
  const parent = typeof traceparent === "string" ? traceparent : undefined;
  const begun = performance.now();
  const span = {
    kind: "request",
    name: `${method} ${surface}`,
    facts: { method, surface },
    traceparent: parent,
  } as const;
  return watch.span(span, async (note) => {
    const known: Known = {};
    const closed = new Promise((resolve) => res.once("close", resolve));
    await inRequest(known, work);
    await closed;
    const status = res.headersSent ? res.statusCode : 0;
    // Its caller went away: then no status says how it ended.
    const ending = isWhole(res) ? `${Math.floor(status / 100)}xx` : "aborted";
    note({ status, class: ending, ...(known.unavailable !== undefined && { unavailable: known.unavailable }) });
    const ms = Math.round(performance.now() - begun);
    log.debug?.({ method: req.method, path: req.url!.split("?")[0], status, ms, ...known }, "request");
  });
}

/** Others are strangers' words. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
