import type { IncomingMessage, ServerResponse } from "node:http";
import { errorEnvelope, Refusal, toRefusal } from "../src/platform/errors/errors.ts";
import { CORS } from "../src/surfaces/http-server/cors.ts";
import type { Log } from "../src/surfaces/http-server/log.ts";
import { sendResponse } from "../src/surfaces/http-server/send-response.ts";

/** Answers anything thrown with the JSON error envelope. An unexpected error is logged, and answered without its details. */
export function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  thrown: unknown,
  { siteUrl, log, headers }: { siteUrl: string; log: Log; headers: Readonly<Record<string, string>> },
): void {
  const path = req.url!.split("?")[0];
  if (!(thrown instanceof Refusal) && !isGone(thrown))
    log.error({ err: thrown, method: req.method, path }, "a request failed");
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const refusal = toRefusal(thrown);
  sendResponse(req, res, {
    status: refusal.status,
    headers: {
      ...CORS,
      ...headers,
      ...refusal.headers,
      "Cache-Control": "no-store",
      "Content-Type": "application/json; charset=utf-8",
    },
    text: JSON.stringify(errorEnvelope(refusal, siteUrl)),
  });
}

/** The client went away while its answer was streamed, which is not logged. */
function isGone(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException | null)?.code === "ERR_STREAM_PREMATURE_CLOSE";
}
