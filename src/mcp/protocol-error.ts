import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { errorEnvelope, Refusal } from "../errors.ts";

/** Free for servers to use (JSON-RPC 2.0 section 5.1); the reason stands in `data`. */
const SERVER_ERROR = -32_000;

export class ParseFailure extends Refusal {
  constructor() {
    super("invalid_request", "The body is not JSON in UTF-8. Nothing was changed.", {
      issues: [{ path: "", message: "not JSON in UTF-8" }],
    });
  }
}

/** A refusal as an HTTP answer to a protocol message: a JSON-RPC error that carries ours whole. */
export function protocolError(refusal: Refusal, id: string | number | null, siteUrl: string) {
  const error = { code: rpcCode(refusal), message: refusal.message, data: errorEnvelope(refusal, siteUrl).error };
  return {
    status: refusal.status,
    headers: { ...refusal.headers, "Content-Type": "application/json" },
    text: JSON.stringify({ jsonrpc: "2.0", id, error }),
  };
}

function rpcCode(refusal: Refusal): number {
  if (refusal instanceof ParseFailure) return ProtocolErrorCode.ParseError;
  if (refusal.code === "invalid_request") return ProtocolErrorCode.InvalidRequest;
  return refusal.code === "internal" ? ProtocolErrorCode.InternalError : SERVER_ERROR;
}
