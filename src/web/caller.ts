import type { IncomingMessage } from "node:http";

/** The credentials of a request: headers only, never a cookie, never the query. */
export function presentedBy(req: IncomingMessage): { authorization?: string | undefined; apiKey?: string | undefined } {
  const apiKey = req.headers["x-api-key"];
  return { authorization: req.headers.authorization, apiKey: Array.isArray(apiKey) ? apiKey.join() : apiKey };
}

/**
 * The client's address. With `trustProxy` hops in front, the address that the outermost trusted proxy saw;
 * what a client itself writes into X-Forwarded-For is never believed.
 */
export function addressOf(req: IncomingMessage, trustProxy: number): string {
  const socket = req.socket.remoteAddress ?? "unknown";
  if (trustProxy === 0) return socket;
  const forwarded = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  return [...forwarded, socket].at(-1 - trustProxy) ?? forwarded[0] ?? socket;
}
