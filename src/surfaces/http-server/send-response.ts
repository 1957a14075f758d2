import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { hasBody } from "./body.ts";

/** How long the rest of a request is read and discarded after its answer, in ms. */
const LINGER = 1_000;

export interface TextResponse {
  readonly status: number;
  /** A flat list of names and values costs less than an object. */
  readonly headers: OutgoingHttpHeaders | readonly string[];
  /** A buffer holds the text in UTF-8. */
  readonly text: string | Buffer;
}

/** Responses that were sent completely although `end` was never called, because Node closes a connection with unread bytes. */
const sentInFull = new WeakSet<ServerResponse>();

/** Whether the whole response was sent. */
export function isFullySent(res: ServerResponse): boolean {
  return res.writableFinished || sentInFull.has(res);
}

/**
 * Answers with a text. If the body of the request was not read to its end, the connection is closed after the answer,
 * but not at once. Closing a connection with unread bytes resets it, and the client would lose the answer (RFC 9112
 * section 9.6).
 */
export function sendResponse(req: IncomingMessage, res: ServerResponse, { status, headers, text }: TextResponse): void {
  const list: OutgoingHttpHeader[] = [];
  if (isList(headers)) list.push(...headers);
  else for (const name in headers) list.push(name, headers[name]!);
  const length = Buffer.byteLength(text);
  list.push("Content-Length", length, "X-Content-Type-Options", "nosniff");
  if (req.complete || !hasBody(req)) {
    endWith(res.writeHead(status, list), text, length);
    return;
  }
  list.push("Connection", "close");
  res.writeHead(status, list);
  res.write(text);
  // Closes our half, so that the client sees the end of the answer; the rest is closed once the client has ended its half.
  req.socket.once("finish", () => sentInFull.add(res)).end();
  const timer = setTimeout(() => req.socket.destroy(), LINGER);
  req.socket.once("close", () => clearTimeout(timer));
  req.once("end", () => req.socket.destroy()).resume();
}

/**
 * Ends a response. A text of ASCII alone is sent as Latin-1, which has the same bytes as UTF-8 and is encoded faster.
 * @param length bytes of the text in UTF-8
 */
export function endWith(res: ServerResponse, text: string | Buffer, length: number): void {
  if (typeof text === "string" && text.length === length) res.end(text, "latin1");
  else res.end(text);
}

function isList(headers: TextResponse["headers"]): headers is readonly string[] {
  return Array.isArray(headers);
}
