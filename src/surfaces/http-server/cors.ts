import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Any page may call, none sends a cookie, and what a caller must see is exposed (docs/rules.md rule 18). */
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

// MCP clients send the version of their protocol to the metadata of sign-in too.
const REQUEST_HEADERS = [
  "MCP-Protocol-Version",
  "Authorization",
  "X-API-Key",
  "Content-Type",
  "Idempotency-Key",
  "PAYMENT-SIGNATURE",
  "Payment-Authorization",
];

/** Answers OPTIONS, a CORS preflight or not. `headers` are those a surface takes beyond the common ones. */
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
