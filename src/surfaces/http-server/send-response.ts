import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { hasBody } from "./body.ts";

/** How long what a client still sends after its answer is read and thrown away, in ms. */
const LINGER = 1_000;

export interface TextResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
}

/** Answers that left this process whole, though they were never ended: Node closes over what it has not read. */
const whole = new WeakSet<ServerResponse>();

/** Whether the answer was given to its end. */
export function isFullySent(res: ServerResponse): boolean {
  return res.writableFinished || whole.has(res);
}

/**
 * Answers with a whole text. When the request's body has not been read to its end, the connection is closed
 * after the answer, but not at once: closing over unread bytes resets the connection, and the client would
 * lose the answer (RFC 9112 section 9.6).
 */
export function sendResponse(req: IncomingMessage, res: ServerResponse, { status, headers, text }: TextResponse): void {
  const length = { "Content-Length": Buffer.byteLength(text), "X-Content-Type-Options": "nosniff" };
  if (req.complete || !hasBody(req)) {
    res.writeHead(status, { ...headers, ...length }).end(text);
    return;
  }
  res.writeHead(status, { ...headers, ...length, Connection: "close" });
  res.write(text);
  // Our half is closed, so that the client sees the end of the answer, and its half when it has seen it.
  req.socket.once("finish", () => whole.add(res)).end();
  const timer = setTimeout(() => req.socket.destroy(), LINGER);
  req.socket.once("close", () => clearTimeout(timer));
  req.once("end", () => req.socket.destroy()).resume();
}
