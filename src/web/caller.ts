import type { IncomingMessage } from "node:http";
import { Refusal } from "../errors.ts";

/**
 * The credentials of a request: headers only, never a cookie, never the query.
 * @throws Refusal invalid_request when one header is sent twice with different values
 */
export function presentedBy(req: IncomingMessage): { authorization?: string | undefined; apiKey?: string | undefined } {
  return { authorization: only(req, "authorization"), apiKey: only(req, "x-api-key") };
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
    .map((address) => withoutPort(address.trim()))
    .filter((address) => address !== "");
  return [...forwarded, socket].at(-1 - trustProxy) ?? forwarded[0] ?? socket;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

function only(req: IncomingMessage, name: string): string | undefined {
  const values = new Set(req.headersDistinct[name]);
  if (values.size > 1) {
    throw new Refusal("invalid_request", "Two different credentials were sent. Send one.", {
      issues: [{ path: name, message: "sent more than once" }],
    });
  }
  return values.values().next().value;
}
