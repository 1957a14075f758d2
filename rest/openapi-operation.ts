import { inputSchema, type JsonSchema, IDEMPOTENCY_KEY as KEY_FIELD } from "../src/contract/json-schema.ts";
import { type AnyOperation, hasBody, isIdempotent, scopesOf } from "../src/contract/operation.ts";
import type { Config } from "../src/platform/config/config.ts";
import { SIZES } from "../src/platform/sizes.ts";
import { LOG_TYPES } from "./input.ts";
import { bodyExample, parameterExample } from "./openapi-examples.ts";
import { responsesOf } from "./openapi-responses.ts";
import { tagsOf } from "./openapi-tags.ts";
import { paymentInfo } from "./payment-info.ts";

/** An operation as OpenAPI's Operation Object. */
export function operationObject(operation: AnyOperation, config: Config): object {
  const { name, title, description, rest } = operation;
  const { properties, required, ...schema } = inputSchema(operation, "program") as unknown as ObjectSchema;
  const fields = Object.entries(properties);
  const inPath = fields.filter(([field]) => rest.path.includes(`{${field}}`));
  const others = fields.filter(([field]) => !rest.path.includes(`{${field}}`));
  const payment = paymentInfo(operation, config);
  return {
    operationId: name,
    summary: title,
    description,
    tags: tagsOf(operation),
    ...(payment ? { "x-payment-info": payment } : {}),
    parameters: [
      ...[
        ...inPath.map((field) => ["path", field] as const),
        ...(rest.method === "GET" ? others.map((field) => ["query", field] as const) : []),
      ].map(([where, [field, schema]]) => ({
        ...parameter(where, field, schema, required?.includes(field)),
        ...parameterExample(operation, field),
      })),
      ...(isIdempotent(operation) ? [IDEMPOTENCY_KEY] : []),
      ...(operation.takesPayment ? PAYMENTS : []),
    ],
    ...(hasBody(operation)
      ? { requestBody: requestBody(operation, { ...schema, properties: Object.fromEntries(others), required }) }
      : {}),
    responses: responsesOf(operation, config),
    security: securityOf(operation),
  };
}

/** An input; further keywords, such as whether it is closed, are the same for a body. */
interface ObjectSchema {
  readonly properties: Record<string, JsonSchema>;
  readonly required?: readonly string[] | undefined;
}

function parameter(where: "path" | "query", name: string, { description, ...schema }: JsonSchema, required?: boolean) {
  return { name, in: where, required: required ?? false, ...(description ? { description } : {}), schema };
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Repeating a call with the same key and body within 24 hours returns the first answer and spends nothing. The field `idempotency_key` of the body counts as this header.",
  schema: { type: "string", minLength: 1, maxLength: SIZES.idempotencyKey },
};

const PAYMENTS = [
  {
    name: "PAYMENT-SIGNATURE",
    in: "header",
    required: false,
    description: "The signed payment, base64 of an x402 PaymentPayload in JSON. Accepted only with a credential.",
    schema: { type: "string" },
  },
  {
    name: "Payment-Authorization",
    in: "header",
    required: false,
    description: "The same payment as a credential of the scheme `Payment`. Send one of the two headers, not both.",
    schema: { type: "string" },
  },
];

/** @param input without the fields in the path */
function requestBody(operation: AnyOperation, { properties, required = [], ...input }: ObjectSchema) {
  const needed = required.filter((field) => Object.hasOwn(properties, field));
  const key = isIdempotent(operation) ? { idempotency_key: KEY_FIELD } : {};
  const schema = {
    ...input,
    properties: { ...properties, ...key },
    ...(needed.length > 0 ? { required: needed } : {}),
  };
  const content = { "application/json": { schema, ...bodyExample(operation) }, ...bodyTypes(operation, properties) };
  return { required: needed.length > 0, content };
}

/** The other types of a body that may be one of its fields. */
function bodyTypes({ rest: { bodyField }, example }: AnyOperation, properties: ObjectSchema["properties"]): object {
  if (bodyField === undefined) return {};
  const types = LOG_TYPES.filter((type) => type !== "application/json");
  return Object.fromEntries(
    types.map((type) => [type, { schema: properties[bodyField], example: example[bodyField] }]),
  );
}

function securityOf({ access }: AnyOperation): object[] {
  const credentials = [{ bearer: [] }, { apiKey: [] }, { oauth2: scopesOf(access) }];
  const isOpen = access.kind === "public" || (access.kind === "scope" && access.anonymous !== undefined);
  return isOpen ? [{}, ...credentials] : credentials;
}
