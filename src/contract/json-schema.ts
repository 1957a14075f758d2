import { z } from "zod";
import { SIZES } from "../platform/sizes.ts";
import { listOf } from "./fit-page.ts";
import { type AnyOperation, isIdempotent, refusesUnknownFields } from "./operation.ts";

/** A schema of JSON Schema 2020-12. */
export type JsonSchema = { [keyword: string]: unknown };

export type Audience = "program" | "agent";

/** The input schema of an operation, with the defaults of the audience. It is closed where unknown fields are refused. */
export const inputSchema = memoised((operation: AnyOperation, audience: Audience): JsonSchema => {
  const schema = { ...inlined(operation.input), ...(refusesUnknownFields(operation) ? CLOSED : {}) };
  if (audience === "program" || !operation.agentDefaults) return schema;
  const properties = { ...(schema.properties as Record<string, JsonSchema>) };
  for (const [name, preset] of Object.entries(operation.agentDefaults)) {
    properties[name] = { ...properties[name], default: preset };
  }
  return { ...schema, properties };
});

const CLOSED: JsonSchema = { additionalProperties: false };

/**
 * The input schema for agents, who have a field in place of the header Idempotency-Key. An input without fields is closed, as MCP
 * recommends: OpenAI's strict mode takes no object that may hold anything.
 */
export const agentInputSchema = memoised((operation: AnyOperation): JsonSchema => {
  const schema = inputSchema(operation, "agent");
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, ofOneType(field)]));
  const key = isIdempotent(operation) ? { idempotency_key: ofOneType(IDEMPOTENCY_KEY) } : {};
  const columns = (listOf(operation)?.columns.length ?? 0) > 0 ? { fields: FIELDS } : {};
  const closed = fields.length === 0 ? CLOSED : {};
  return { ...schema, properties: { ...properties, ...columns, ...key }, ...closed };
});

/**
 * A field as the APIs of models take it. Gemini allows one type for a field, and enums of texts only: an enum of numbers becomes
 * bounds, and the description says which numbers between them are allowed. Null is left out: agents in strict mode write it
 * for what is absent, and the service takes it so. Lengths and lower bounds are left out too, because no model counts; the service
 * refuses what is outside of them.
 */
function ofOneType({ enum: values, ...given }: JsonSchema): JsonSchema {
  const { minLength: _, maxLength: __, minimum: ___, maxItems: ____, ...field } = given;
  const items = field.items ? { items: ofOneType(field.items as JsonSchema) } : {};
  const one = { ...field, ...items, type: [field.type].flat().find((name) => name !== "null") };
  if (!Array.isArray(values)) return one;
  if (!values.every((value) => typeof value === "number")) return { ...one, enum: values };
  return { ...one, type: "integer", minimum: Math.min(...values), maximum: Math.max(...values) };
}

const FIELDS: JsonSchema = {
  type: "array",
  items: { type: "string" },
  description: "Only these fields of each record",
};

/** The field that counts as the header Idempotency-Key. */
export const IDEMPOTENCY_KEY: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: SIZES.idempotencyKey,
  description: "Any unique text; a retry with it spends nothing",
};

/** The output schema of an operation, without references. */
export const outputSchema = memoised((operation: AnyOperation): JsonSchema => inlined(operation.output));

/** The output schema of an operation with its named shapes as `#/components/schemas/<id>`, and those shapes. */
export const componentSchema = memoised((operation: AnyOperation) => {
  const { $defs, ...root } = convert(operation.output);
  const move = (schema: JsonSchema) =>
    rewrite(schema, (ref) => ({ $ref: ref.replace("#/$defs/", "#/components/schemas/") }));
  const shapes = Object.entries(($defs ?? {}) as Record<string, JsonSchema>);
  return {
    schema: move(root),
    components: Object.fromEntries(shapes.map(([id, shape]) => [id, move(shape)])),
  };
});

function inlined(type: z.ZodType): JsonSchema {
  const { $defs, ...root } = convert(type);
  const shapes = ($defs ?? {}) as Record<string, JsonSchema>;
  const resolve = (ref: string): JsonSchema => rewrite(shapes[ref.slice("#/$defs/".length)]!, resolve);
  return rewrite(root, resolve);
}

/** Converts with `io: "input"`, so that only strict objects are closed to new fields. */
function convert(type: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: "input",
    override: ({ jsonSchema }) => compact(jsonSchema as JsonSchema),
  });
  return schema as JsonSchema;
}

function dropSafeBounds(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** Drops the bounds of a safe integer and the pattern of a format, and writes a nullable type without `anyOf`. */
function compact(schema: JsonSchema): void {
  dropSafeBounds(schema);
  if (schema.format) delete schema.pattern;
  const [first, second, ...more] = (schema.anyOf ?? []) as JsonSchema[];
  if (second?.type !== "null" || more.length > 0 || typeof first?.type !== "string") return;
  delete schema.anyOf;
  Object.assign(schema, first, { type: [first.type, "null"] });
  // A part that several fields share is compacted in one of them only.
  dropSafeBounds(schema);
  if (first.enum) schema.enum = [...(first.enum as unknown[]), null];
}

/** The schema with every `$ref` replaced; keywords next to a reference stay. */
function rewrite(schema: JsonSchema, replace: (ref: string) => JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  const copy: JsonSchema = typeof $ref === "string" ? { ...replace($ref), ...rest } : rest;
  for (const [keyword, value] of Object.entries(rest)) {
    if (IN_MAPS.has(keyword)) {
      const entries = Object.entries(value as Record<string, JsonSchema>);
      copy[keyword] = Object.fromEntries(entries.map(([name, one]) => [name, rewrite(one, replace)]));
    } else if (IN_LISTS.has(keyword)) {
      copy[keyword] = (value as JsonSchema[]).map((one) => rewrite(one, replace));
    } else if (DIRECT.has(keyword) && typeof value === "object") {
      copy[keyword] = rewrite(value as JsonSchema, replace);
    }
  }
  return copy;
}

/** Keywords whose values contain schemas. */
const IN_MAPS = new Set(["properties", "patternProperties"]);
const IN_LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const DIRECT = new Set(["items", "additionalProperties", "propertyNames"]);

/** Makes each schema once: operations do not change while the process runs. */
function memoised<Rest extends string[], T>(make: (operation: AnyOperation, ...rest: Rest) => T) {
  const made = new WeakMap<AnyOperation, Map<string, T>>();
  return (operation: AnyOperation, ...rest: Rest): T => {
    const key = rest.join();
    const known = made.get(operation) ?? new Map<string, T>();
    made.set(operation, known);
    if (!known.has(key)) known.set(key, make(operation, ...rest));
    return known.get(key)!;
  };
}
