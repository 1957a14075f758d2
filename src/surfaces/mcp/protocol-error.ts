import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { errorEnvelope, Refusal } from "../../platform/errors/errors.ts";

/** Reserved for servers (JSON-RPC 2.0 section 5.1); the reason is in `data`. */
const SERVER_ERROR = -32_000;

export class JsonParseError extends Refusal {
  constructor() {
    super("invalid_request", "The body is not JSON in UTF-8. Nothing was changed.", {
      issues: [{ path: "", message: "not JSON in UTF-8" }],
    });
  }
}

/** A refusal as an HTTP response with a JSON-RPC error, whose `data` is our error object. */
export function httpErrorOf(refusal: Refusal, id: string | number | null, siteUrl: string) {
  const error = rpcError(refusal, siteUrl);
  return {
    status: refusal.status,
    headers: { ...refusal.headers, "Content-Type": "application/json" },
    text: JSON.stringify({ jsonrpc: "2.0", id, error }),
  };
}

/** A refusal as an error for the SDK to answer, for methods whose results cannot carry one. */
export function asProtocolError(refusal: Refusal, siteUrl: string): ProtocolError {
  const { code, message, data } = rpcError(refusal, siteUrl);
  return new ProtocolError(code, message, data);
}

function rpcError(refusal: Refusal, siteUrl: string) {
  return { code: rpcCode(refusal), message: refusal.message, data: errorEnvelope(refusal, siteUrl).error };
}

function rpcCode(refusal: Refusal): number {
  if (refusal instanceof JsonParseError) return ProtocolErrorCode.ParseError;
  if (refusal.code === "invalid_request") return ProtocolErrorCode.InvalidRequest;
  return refusal.code === "internal" ? ProtocolErrorCode.InternalError : SERVER_ERROR;
}
