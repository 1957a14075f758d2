import { ProtocolError } from "@modelcontextprotocol/server";

/**
 * Everything in which the texts of MCP Events differ, or may still change: ChatGPT's guide of October 2026, the design sketch that
 * it cites, and SEP-3415, which is a draft. ChatGPT's guide goes first, since it is in use; docs/decisions.md has the rest.
 */
export const WIRE = {
  extension: "io.modelcontextprotocol/events",
  /** SEP-3415 has NotFound to CallbackEndpointError as -32023 to -32027. */
  codes: {
    InvalidParams: -32_602,
    NotFound: -32_011,
    Forbidden: -32_012,
    ResourceExhausted: -32_013,
    Unsupported: -32_014,
    CallbackEndpointError: -32_015,
  },
  subscriptionHeader: "X-MCP-Subscription-Id",
  subscriptionMeta: "io.modelcontextprotocol/subscriptionId",
  /** The beginning of the `webhook-id` of a message that is no event. */
  verificationId: "msg_verification_",
} as const;

/** ChatGPT reads the first, SEP-3415 has the second. No `listChanged`: the types change only with a release. */
export const EVENTS_CAPABILITIES = { events: {}, extensions: { [WIRE.extension]: {} } };

export type EventsError = keyof typeof WIRE.codes;

export function eventsError(name: EventsError, message: string, data: Record<string, unknown> = {}): ProtocolError {
  return new ProtocolError(WIRE.codes[name], message, data);
}

/** Why a receiver was not reached, in the words of the extension. */
export type CallbackProblem =
  | "connection_refused"
  | "timeout"
  | "tls_error"
  | "http_4xx"
  | "http_5xx"
  | "challenge_failed";
