import { componentSchema } from "../src/contract/json-schema.ts";
import { type AnyOperation, errorsOf, isIdempotent } from "../src/contract/operation.ts";
import type { Config } from "../src/platform/config/config.ts";
import { ERRORS, type ErrorCode } from "../src/platform/errors/errors.ts";
import { isTagged } from "./entity-tag.ts";
import { answerExamples, errorExamples, nothingToDoExample } from "./openapi-examples.ts";

/**
 * The responses of an operation by status: its success, and every refusal, each with an example. The price of a direct
 * payment is a refusal with the status of the success, and replaces it.
 */
export function responsesOf(operation: AnyOperation, config: Config): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  const refusals = [...byStatus].map(([status, codes]) => [String(status), refusal(status, codes)]);
  const { status = 200 } = operation.rest;
  const done = success(operation, operation.title, answerExamples(operation, config));
  const nothing = { "application/json": nothingToDoExample(operation, config) };
  return {
    [status]: done,
    ...(isTagged(operation) ? { 304: UNCHANGED } : {}),
    ...(operation.hadNothingToDo ? { 200: success(operation, "There was nothing to do", nothing) } : {}),
    ...Object.fromEntries(refusals),
  };
}

/** @param examples by media type */
function success(operation: AnyOperation, description: string, examples: Readonly<Record<string, unknown>>): object {
  // A representation in JSON has the schema of the answer; it is at a path of its own.
  const others = (operation.representations ?? []).filter(({ mediaType }) => mediaType !== "application/json");
  const texts = others
    .filter(({ mediaType }) => Object.hasOwn(examples, mediaType))
    .map(({ mediaType }) => [mediaType, { schema: { type: "string" }, example: examples[mediaType] }]);
  return {
    description,
    headers: {
      ...RATE_HEADERS,
      ...(isTagged(operation) ? { ETag: TAG } : {}),
      ...(isIdempotent(operation) || operation.takesPayment ? { "Idempotent-Replayed": REPLAYED } : {}),
      ...(operation.takesPayment ? PAYMENT_HEADERS : {}),
    },
    content: {
      "application/json": { schema: componentSchema(operation).schema, example: examples["application/json"] },
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
      ...(status === 401 || status === 403 ? { "WWW-Authenticate": challenge(codes) } : {}),
      ...(codes.includes("direct_payment_required") ? PRICE_HEADERS : {}),
      ...(status === 409 || status === 429 || status === 503 ? { "Retry-After": RETRY_AFTER } : {}),
    },
    content: {
      "application/json": {
        schema: { allOf: [{ $ref: "#/components/schemas/Error" }, code] },
        examples: errorExamples(codes),
      },
    },
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
        invalid: { type: "integer", description: "Entries that are not URLs" },
        invalid_examples: {
          type: "array",
          description: "Up to 10 of them, as they were sent; of a sitemap, where they stand and why",
          items: { anyOf: [{ type: "string" }, { type: "object" }] },
        },
        urls: { type: "integer", description: "URLs that remain after dropping duplicates and invalid entries" },
        max: { type: "integer", description: "Most URLs of a project" },
        max_bytes: { type: "integer", description: "Largest body that the call takes" },
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

const TAG = text("Changes with the answer; send it as If-None-Match to get 304 as long as it is the same");

const UNCHANGED = {
  description: "The answer still has the ETag in If-None-Match",
  headers: { ...RATE_HEADERS, ETag: TAG },
};

const REPLAYED = {
  description: "`true` if this is the stored answer of an earlier call with the same key",
  schema: { type: "string", const: "true" },
};

/** A refusal that a person has caused, by a limit or a missing yes, has no challenge: no other credential would help. */
function challenge(codes: readonly ErrorCode[]) {
  const required = !codes.includes("spending_limit") && !codes.includes("approval_required");
  return { description: "Where to get a credential (RFC 6750, RFC 9728)", required, schema: { type: "string" } };
}

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
