import { componentSchema } from "../src/contract/json-schema.ts";
import { type AnyOperation, errorsOf, isIdempotent } from "../src/contract/operation.ts";
import { ERRORS, type ErrorCode } from "../src/platform/errors/errors.ts";

/**
 * The responses of an operation by status: its success, and every refusal. The price of a direct payment is a refusal
 * with the status of the success, and replaces it.
 * @param costs whether it is published as one that costs money, which must declare a 402 (draft-payment-discovery-00)
 */
export function responsesOf(operation: AnyOperation, costs: boolean): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  const refusals = [...byStatus].map(([status, codes]) => [String(status), refusal(status, codes)]);
  const { status = 200 } = operation.rest;
  return {
    [status]: success(operation),
    ...(operation.hadNothingToDo ? { 200: { ...success(operation), description: "There was nothing to do" } } : {}),
    ...(costs ? { 402: PAID_ELSEWHERE } : {}),
    ...Object.fromEntries(refusals),
  };
}

function success(operation: AnyOperation): object {
  // A representation in JSON has the schema of the answer; it is at a path of its own.
  const others = (operation.representations ?? []).filter(({ mediaType }) => mediaType !== "application/json");
  const texts = others.map(({ mediaType }) => [mediaType, { schema: { type: "string" } }]);
  return {
    description: operation.title,
    headers: {
      ...RATE_HEADERS,
      ...(isIdempotent(operation) || operation.takesPayment ? { "Idempotent-Replayed": REPLAYED } : {}),
      ...(operation.takesPayment ? PAYMENT_HEADERS : {}),
    },
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
      ...(codes.includes("direct_payment_required") ? PRICE_HEADERS : {}),
      ...(status === 409 || status === 429 || status === 503 ? { "Retry-After": RETRY_AFTER } : {}),
    },
    content: { "application/json": { schema: { allOf: [{ $ref: "#/components/schemas/Error" }, code] } } },
  };
}

/** For an operation that is paid at another address: the draft requires a declared 402 all the same. */
const PAID_ELSEWHERE = {
  description: "This operation never answers 402: the payment is made on the page that its answer names",
};

/** The envelope of every refusal; more fields may be added. */
export const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "docs"],
      properties: {
        code: { type: "string", description: "Stable; for programs to decide by" },
        message: { type: "string", description: "For a user or an agent" },
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
        auth_url: { type: "string", format: "uri", description: "How to get a credential" },
        reason: { type: "string", description: "Which check failed" },
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
  description: "`true` if this is the stored answer of an earlier call with the same key",
  schema: { type: "string", const: "true" },
};

const CHALLENGE = {
  description: "Where to get a credential (RFC 6750, RFC 9728)",
  required: true,
  schema: { type: "string" },
};

function text(description: string) {
  return { description, schema: { type: "string" } };
}

/** Headers of a price; a payment that was not accepted is answered by a price, too. */
const PRICE_HEADERS = {
  "PAYMENT-REQUIRED": text("What to sign: base64 of an x402 PaymentRequired in JSON"),
  "WWW-Authenticate": text("The same as a challenge of the scheme `Payment` (draft-httpauth-payment-00)"),
  "PAYMENT-RESPONSE": text("The outcome of the payment that was sent: base64 of an x402 SettleResponse in JSON"),
};

/** Headers of a completed payment. */
const PAYMENT_HEADERS = {
  "PAYMENT-RESPONSE": text("The state of the payment: base64 of an x402 SettleResponse in JSON"),
  "Payment-Receipt": text("The same for a payment by the scheme `Payment`: base64url of JSON"),
};

const RETRY_AFTER = { ...whole("Seconds to wait"), required: true };
