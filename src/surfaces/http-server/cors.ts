import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Any origin may call, without cookies, and may read the headers that a caller needs (docs/rules.md rule 18). */
export const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": [
    "WWW-Authenticate",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit-Policy",
    "Retry-After",
    "Idempotent-Replayed",
    "PAYMENT-REQUIRED",
    "PAYMENT-RESPONSE",
    "Payment-Receipt",
  ].join(", "),
} as const;

// MCP clients send MCP-Protocol-Version to the OAuth metadata too. A page that is traced sends the three of W3C Trace Context and
// Baggage with every request.
const REQUEST_HEADERS = [
  "MCP-Protocol-Version",
  "traceparent",
  "tracestate",
  "baggage",
  "Authorization",
  "X-API-Key",
  "Content-Type",
  "Idempotency-Key",
  "PAYMENT-SIGNATURE",
  "Payment-Authorization",
];

/** Answers OPTIONS, a CORS preflight or not. @param headers request headers that the surface allows besides the common ones */
export function answerPreflight(
  res: ServerResponse,
  methods: readonly string[],
  headers: readonly string[] = [],
): void {
  const answer: OutgoingHttpHeaders = {
    ...CORS,
    Allow: methods.join(", "),
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": [...REQUEST_HEADERS, ...headers].join(", "),
    "Access-Control-Max-Age": "86400",
  };
  res.writeHead(204, answer).end();
}
