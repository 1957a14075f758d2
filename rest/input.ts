import { inputSchema, type JsonSchema } from "../src/contract/json-schema.ts";
import { withoutNulls } from "../src/contract/nulls.ts";
import type { AnyOperation } from "../src/contract/operation.ts";
import { invalidInput, unknownFields } from "../src/contract/parse-input.ts";
import { BODIES } from "../src/platform/body-limits.ts";
import { Refusal } from "../src/platform/errors/errors.ts";
import type { JsonReader } from "../src/platform/json/json-reader.ts";
import type { Principal } from "../src/platform/principal.ts";
import { jsonOf, parseJson } from "../src/surfaces/http-server/json-body.ts";
import type { Match } from "./router.ts";

/** The input of a GET: the fields in its path and query. It is not validated here, except that no field may come twice. */
export function inputOfQuery({ operation, params }: Match, query: string): unknown {
  if (query === "") return params;
  refuseBrokenEncoding(query);
  const values = new URLSearchParams(query);
  const input: Record<string, unknown> = { ...params };
  for (const [name, schema] of Object.entries(fieldsOf(operation))) {
    if (Object.hasOwn(params, name) || !values.has(name)) continue;
    const [value, ...more] = values.getAll(name);
    if (more.length > 0) throw repeated(name);
    input[name] = typed(value!, schema);
  }
  return input;
}

/** What is not UTF-8 in percent-encoding would be read as other text, and a search for it would find nothing. @throws Refusal invalid_request */
function refuseBrokenEncoding(query: string): void {
  if (!query.includes("%")) return;
  try {
    decodeURIComponent(query);
  } catch {
    throw new Refusal("invalid_request", "The percent-encoding of the query is not valid.");
  }
}

/** The input of a POST or PATCH: its body, and the fields in its path. @throws Refusal invalid_request for a change with a query */
export function inputOfBody({ operation, params }: Match, query: string, body: JsonReader): unknown {
  const [inQuery] = new URLSearchParams(query).keys();
  if (inQuery !== undefined && operation.effect !== "read") throw misplaced(operation, inQuery);
  const input = withoutNulls(operation, parseJson(body));
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? { ...input, ...params } : input;
}

/** What a log may be sent as; which of its formats it has, its records tell. */
export const LOG_TYPES = ["text/plain", "application/x-ndjson", "application/json"];

/**
 * The input of a POST whose body may be one of its fields: that is what it is, unless it is a JSON object.
 * @param isJson by its type. @throws Refusal invalid_request
 */
export function inputOfLog(found: Match, query: string, body: Buffer, isJson: boolean): unknown {
  const first = body.find((byte) => byte > 0x20);
  if (isJson && (first === undefined || first === "{".charCodeAt(0))) return inputOfBody(found, query, jsonOf(body));
  return { ...inputOfPath(found, query), [found.operation.rest.bodyField!]: body };
}

/** The input of a DELETE, and what a body that is a field itself leaves: the fields in the path. @throws Refusal invalid_request for a query */
export function inputOfPath({ operation, params }: Match, query: string): Readonly<Record<string, string>> {
  const [inQuery] = new URLSearchParams(query).keys();
  if (inQuery !== undefined) throw misplaced(operation, inQuery);
  return params;
}

/** Most bytes of the operation's body (docs/rules.md rule 14): lists of URLs get more, most with a credential. */
export function bodyLimit(operation: AnyOperation, principal: Principal | null): number {
  if (!Object.hasOwn(fieldsOf(operation), "urls")) return BODIES.other;
  return principal ? BODIES.submission : BODIES.anonymousEstimate;
}

function fieldsOf(operation: AnyOperation): Record<string, JsonSchema> {
  return inputSchema(operation, "program").properties as Record<string, JsonSchema>;
}

/**
 * A query has text only. What does not parse as the field's type stays text, and the schema refuses it. `null` is null, except in
 * a field of free text.
 */
function typed(value: string, { type, enum: values }: JsonSchema): unknown {
  const types = [type].flat();
  const isFreeText = types.includes("string") && values === undefined;
  if (value === "null" && !isFreeText) return null;
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** A field that would be ignored, as an unknown one in the body would be. */
function misplaced(operation: AnyOperation, name: string): Refusal {
  const [unknown] = unknownFields(operation, { [name]: "" });
  return invalidInput([unknown ?? { path: name, message: "is in the query; send it in the body" }]);
}

function repeated(name: string): Refusal {
  const issues = [{ path: name, message: "sent more than once" }];
  return new Refusal("invalid_request", `\`${name}\` is in the query more than once. Send it once.`, { issues });
}
