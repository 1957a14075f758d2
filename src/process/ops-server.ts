import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { sendError } from "../../rest/errors.ts";
import { Refusal } from "../platform/errors/errors.ts";
import type { Tracer } from "../platform/telemetry.ts";
import type { InFlightResponses } from "../surfaces/http-server/in-flight.ts";
import type { Log } from "../surfaces/http-server/log.ts";
import { traceRequest } from "../surfaces/http-server/trace-request.ts";
import type { OpsHandler } from "./health/handler.ts";

interface OpsServerOptions {
  readonly ops: Readonly<Record<string, OpsHandler>>;
  readonly tracer: Tracer;
  readonly inFlight: InFlightResponses;
  readonly log: Log;
  readonly siteUrl: string;
}

/** Serves only the operator's endpoints, for a process that does background work and answers no callers. */
export function serveOps(server: Server, { ops, tracer, inFlight, log, siteUrl }: OpsServerOptions): void {
  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    inFlight.add(res);
    void traceRequest(req, res, { tracer, log, surface: "ops" }, async () => {
      const path = req.url!.split("?")[0]!;
      try {
        if (!Object.hasOwn(ops, path)) throw new Refusal("not_found", "This process answers no callers.");
        await ops[path]!(req, res);
      } catch (thrown) {
        sendError(req, res, thrown, { siteUrl, log, headers: {} });
      }
    });
  });
}
