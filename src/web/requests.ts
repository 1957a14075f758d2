import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Watch } from "../watch.ts";
import type { Log } from "./log.ts";

/** The caller of the request that is in hand, once it is known. */
interface Caller {
  account?: string;
}

const caller = new AsyncLocalStorage<Caller>();

/** Says whose request it is, for the line about it. Outside of a request nobody hears. */
export function noteAccount(account: string): void {
  const known = caller.getStore();
  if (known) known.account = account;
}

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
    const who: Caller = {};
    const closed = new Promise((resolve) => res.once("close", resolve));
    await caller.run(who, work);
    await closed;
    const status = res.headersSent ? res.statusCode : 0;
    // Its caller went away: then no status says how it ended.
    const ending = res.writableFinished ? `${Math.floor(status / 100)}xx` : "aborted";
    note({ status, class: ending });
    const ms = Math.round(performance.now() - begun);
    log.debug?.({ method: req.method, path: req.url!.split("?")[0], status, ms, ...who }, "request");
  });
}

/** Others are strangers' words. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
