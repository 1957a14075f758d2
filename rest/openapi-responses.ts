import { componentSchema } from "../src/contract/json-schema.ts";
import { type AnyOperation, errorsOf, isIdempotent } from "../src/contract/operation.ts";
import { ERRORS, type ErrorCode } from "../src/errors.ts";

/** What an operation answers, by status: its success and every refusal it can give. */
export function responsesOf(operation: AnyOperation): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  const refusals = [...byStatus].map(([status, codes]) => [String(status), refusal(status, codes)]);
  return { [operation.rest.status ?? 200]: success(operation), ...Object.fromEntries(refusals) };
}

function success(operation: AnyOperation): object {
  const texts = (operation.representations ?? []).map(({ mediaType }) => [mediaType, { schema: { type: "string" } }]);
  return {
    description: operation.title,
    headers: { ...RATE_HEADERS, ...(isIdempotent(operation) ? { "Idempotent-Replayed": REPLAYED } : {}) },
    content: {
      "application/json": { schema: componentSchema(operation).schema },
      ...Object.fromEntries(texts),
    },
  };
}

function refusal(status: number, codes: readonly ErrorCode[]): object {
  const code = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`).join("; "),
    headers: {
      ...RATE_HEADERS,
      ...(status === 401 || status === 403 ? { "WWW-Authenticate": CHALLENGE } : {}),
      ...(status === 409 || status === 429 || status === 503 ? { "Retry-After": RETRY_AFTER } : {}),
    },
    content: { "application/json": { schema: { allOf: [{ $ref: "#/components/schemas/Error" }, code] } } },
  };
}

/** The envelope of every refusal; more fields may be added. */
export const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "docs"],
      properties: {
        code: { type: "string", description: "Stable; branch on it" },
        message: { type: "string", description: "For a person or an agent" },
        docs: { type: "string", format: "uri", description: "The page of this code" },
        issues: {
          type: "array",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: { path: { type: "string" }, message: { type: "string" } },
          },
        },
        needed: { type: "integer", description: "Credits the call costs" },
        balance: { type: "integer", description: "Credits the account holds" },
        buy_url: { type: "string", format: "uri" },
        required_scope: { type: "string" },
      },
    },
  },
};

function whole(description: string) {
  return { description, schema: { type: "integer" } };
}

const RATE_HEADERS = {
  "RateLimit-Limit": whole("Requests per minute"),
  "RateLimit-Remaining": whole("Requests left in this minute"),
  "RateLimit-Reset": whole("Seconds until the next minute begins"),
  "RateLimit-Policy": { description: "For example `120;w=60`", schema: { type: "string" } },
};

const REPLAYED = {
  description: "`true` when this is the remembered answer of an earlier call with the same key",
  schema: { type: "string", const: "true" },
};

const CHALLENGE = {
  description: "Where a credential is to be had (RFC 6750, RFC 9728)",
  required: true,
  schema: { type: "string" },
};

const RETRY_AFTER = { ...whole("Seconds to wait"), required: true };
