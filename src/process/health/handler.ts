import type { IncomingMessage, ServerResponse } from "node:http";
import { sendResponse } from "../../surfaces/http-server/send-response.ts";
import type { ReadinessProbe } from "./readiness.ts";

/** What whoever runs the service asks it for; none of it is for callers. */
export type OpsHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/**
 * `/healthz`: the process lives, whatever it waits for; who restarts it when its database is away only makes matters
 * worse. `/readyz`: callers should be sent here.
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

function answer(req: IncomingMessage, res: ServerResponse, status: number, said: object): void {
  const isRead = req.method === "GET" || req.method === "HEAD";
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  if (isRead) sendResponse(req, res, { status, headers, text: JSON.stringify(said) });
  else sendResponse(req, res, { status: 405, headers: { ...headers, Allow: "GET, HEAD" }, text: "{}" });
}
