import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestGuard } from "../../src/contract/authenticate.ts";
import type { Config } from "../../src/platform/config/config.ts";
import { Refusal, toRefusal } from "../../src/platform/errors/errors.ts";
import { addressOf, credentialsOf } from "../../src/surfaces/http-server/caller.ts";
import { closeSignal } from "../../src/surfaces/http-server/close-signal.ts";
import { answerPreflight, CORS } from "../../src/surfaces/http-server/cors.ts";
import type { Log } from "../../src/surfaces/http-server/log.ts";
import { sendResponse } from "../../src/surfaces/http-server/send-response.ts";
import type { A2aMethods } from "../methods.ts";
import { A2A } from "../path.ts";
import { type WireError, wireErrorOf, wireErrorOfRefusal } from "./errors.ts";
import { type Binding, HttpExchange } from "./exchange.ts";
import { HttpJson } from "./http-json.ts";
import { JsonRpc } from "./jsonrpc.ts";
import { HEARTBEAT } from "./sse.ts";

export interface A2aDeps {
  readonly config: Pick<Config, "siteUrl" | "trustProxy">;
  readonly guard: RequestGuard;
  readonly methods: A2aMethods;
  readonly log: Log;
  /** Aborted when the service stops, which ends open streams. */
  readonly stopping?: AbortSignal | undefined;
  /** Longest time for receiving a body, in ms. */
  readonly bodyTimeMs?: number | undefined;
  /** Time between the comments of a quiet stream, in ms. */
  readonly heartbeatMs?: number | undefined;
}

const REQUEST_HEADERS = ["A2A-Version", "A2A-Extensions", "X-A2A-Extensions", "Last-Event-ID"];
const HEADERS = {
  ...CORS,
  "Access-Control-Expose-Headers": `${CORS["Access-Control-Expose-Headers"]}, A2A-Extensions, X-A2A-Extensions`,
  "Cache-Control": "no-store",
};

/**
 * Handles `/a2a` (JSON-RPC) and the paths below it (HTTP+JSON). The caller is identified before the body is read, so that
 * 401, 403 and 429 are HTTP statuses, with a body in the form of the binding.
 */
export function a2aHandler(deps: A2aDeps): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { config, guard, methods, stopping, bodyTimeMs, heartbeatMs = HEARTBEAT } = deps;
  // Every running request listens to it.
  if (stopping) setMaxListeners(0, stopping);
  return async (req, res) => {
    const path = req.url!.split("?")[0]!.slice(A2A.length).replace(/^\/$/, "");
    const binding: Binding = path === "" ? new JsonRpc() : new HttpJson(path, req.headers.accept);
    if (req.method === "OPTIONS") return answerPreflight(res, binding.allowed, REQUEST_HEADERS);
    let headers: Readonly<Record<string, string>> = HEADERS;
    const closing = closeSignal(res, stopping);
    const failure = (thrown: unknown) => errorFor(deps, req, thrown, closing.signal);
    try {
      const caller = {
        ...credentialsOf(req),
        ip: addressOf(req, config.trustProxy),
        host: req.headers.host,
        resource: A2A,
      } as const;
      const admission = await guard.admit(caller);
      headers = { ...HEADERS, ...admission.headers };
      await binding.answer(
        new HttpExchange({
          ...{ req, res, path, caller, admission, methods, headers, closing, bodyTimeMs, heartbeatMs },
          failure: (thrown) => binding.event(failure(thrown)),
        }),
      );
    } catch (thrown) {
      const error = failure(thrown);
      if (res.headersSent || res.destroyed) return void res.destroy();
      const { status, contentType, json } = binding.refusal(error);
      const all = { ...headers, ...error.headers, "Content-Type": contentType };
      sendResponse(req, res, { status, headers: all, text: JSON.stringify(json) });
    } finally {
      closing.dispose();
    }
  };
}

/** The error to answer for anything thrown. An unexpected one is logged, and answered without its details. */
function errorFor({ config, log }: A2aDeps, req: IncomingMessage, thrown: unknown, signal: AbortSignal): WireError {
  const known = wireErrorOf(thrown);
  if (known) return known;
  if (thrown instanceof Refusal) return wireErrorOfRefusal(thrown, config.siteUrl);
  if (signal.aborted && thrown === signal.reason) return wireErrorOfRefusal(serviceStopping(), config.siteUrl);
  log.error({ err: thrown, method: req.method, path: req.url!.split("?")[0] }, "a message of an agent failed");
  return wireErrorOfRefusal(toRefusal(thrown), config.siteUrl);
}

function serviceStopping(): Refusal {
  return new Refusal("unavailable", "The service is being stopped. Try again in a moment.", {}, { "Retry-After": "2" });
}
