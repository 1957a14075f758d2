import type { IncomingMessage, ServerResponse } from "node:http";
import { sendResponse } from "../../surfaces/http-server/send-response.ts";
import type { ReadinessProbe } from "./readiness.ts";

/** Handles a request of the operator's tools, such as a load balancer or Prometheus. Callers do not use it. */
export type OpsHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/**
 * `/healthz`: the process is alive. It says so even while the database is not, because a restart would make matters
 * worse. `/readyz`: a load balancer should send callers here.
 */
export function healthHandlers(ready: ReadinessProbe): Readonly<Record<string, OpsHandler>> {
  return {
    "/healthz": async (req, res) => answer(req, res, 200, { status: "ok" }),
    "/readyz": async (req, res) => {
      const readiness = await ready.check();
      answer(req, res, readiness.ready ? 200 : 503, readiness);
    },
  };
}

function answer(req: IncomingMessage, res: ServerResponse, status: number, body: object): void {
  const isRead = req.method === "GET" || req.method === "HEAD";
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  if (isRead) sendResponse(req, res, { status, headers, text: JSON.stringify(body) });
  else sendResponse(req, res, { status: 405, headers: { ...headers, Allow: "GET, HEAD" }, text: "{}" });
}
