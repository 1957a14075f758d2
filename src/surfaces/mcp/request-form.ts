import type { IncomingMessage } from "node:http";
import { MCP_PATHS } from "../../domain/credentials/resources.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { refuseUnlessJson } from "../http-server/json-body.ts";

// What a request to MCP has to be, before its body is read.

/** The methods without a session. */
export const METHODS = ["POST", "OPTIONS"];

/** @throws Refusal not_found below the path of MCP, where nothing is */
export function refuseOtherPaths({ url }: IncomingMessage): void {
  if (!MCP_PATHS.includes(url!.split("?")[0]!))
    throw new Refusal("not_found", "There is nothing here: MCP is at /mcp.");
}

/** @throws Refusal method_not_allowed, unsupported_media_type */
export function refuseUnlessPost(req: IncomingMessage): void {
  if (req.method !== "POST") {
    const message = "Send protocol messages by POST. GET is for the stream of a session, which Mcp-Session-Id names.";
    throw new Refusal("method_not_allowed", message, {}, { Allow: METHODS.join(", ") });
  }
  refuseUnlessJson(req);
  if (acceptsJson(req.headers.accept)) req.headers.accept = ACCEPT;
}

/** The Accept that the protocol asks of clients. Every answer is JSON, so clients that take JSON alone are served as well. */
const ACCEPT = "application/json, text/event-stream";

function acceptsJson(accept = "*/*"): boolean {
  return accept
    .split(",")
    .some((range) => /^\s*(application\/(json|\*)|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range));
}
