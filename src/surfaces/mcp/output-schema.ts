import { operations } from "../../../tools/index.ts";
import { listOf } from "../../contract/fit-page.ts";
import { componentSchema, type JsonSchema } from "../../contract/json-schema.ts";
import { type AnyOperation, isOn } from "../../contract/operation.ts";

/**
 * The output schema of a tool, short enough for a model, which reads all tools before its first call: the fields, which of
 * them are always there, and the fields inside them. A shape that another tool answers is described there, and only named
 * here. Every answer that is valid by the full schema of the REST API is valid by this one, which leaves out bounds.
 */
export function agentOutputSchema(operation: AnyOperation): JsonSchema {
  const schema: JsonSchema = { type: "object", ...brief(rootOf(operation), 0, componentSchema(operation).components) };
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, once(operation, name, field)]));
  const list = listOf(operation);
  return list ? asPage({ ...schema, properties }, list) : { ...schema, properties };
}

/** A list of objects that another tool, listed before, has under the same name is only named here. */
function once(operation: AnyOperation, name: string, field: JsonSchema): JsonSchema {
  if (!(field.items as JsonSchema | undefined)?.properties) return field;
  const whole = fieldsOf(rootOf(operation)).get(name);
  const before = operations.slice(0, operations.indexOf(operation)).filter((one) => isOn(one, "mcp"));
  const owner = before.find((one) => fieldsOf(rootOf(one)).get(name) === whole);
  return owner ? { type: field.type, description: `As ${owner.name} answers` } : field;
}

/** A page of a list: it says where the next one begins, and its records have the columns that the caller chose. */
function asPage(schema: JsonSchema, { name }: { name: string }): JsonSchema {
  const properties = schema.properties as Record<string, JsonSchema>;
  const { items, ...list } = properties[name]!;
  const { required: _, ...record } = items as JsonSchema;
  return { ...schema, properties: { ...properties, [name]: { ...list, items: record }, next_offset: NEXT_OFFSET } };
}

const NEXT_OFFSET: JsonSchema = { type: "integer", description: "The next page, if any" };

type Shapes = Readonly<Record<string, JsonSchema>>;

/** How many levels of objects are described. */
const MAX_DEPTH = 2;

function brief(schema: JsonSchema, depth: number, shapes: Shapes): JsonSchema {
  const [nullable, other] = (schema.anyOf ?? []) as JsonSchema[];
  if (nullable && other?.type === "null") {
    const { type, description, ...rest } = brief(nullable, depth, shapes);
    return { type: [type, "null"], ...rest, description: [description, schema.description].filter(Boolean).join("; ") };
  }
  const shape = shapeOf(schema, shapes);
  if (shape) return { type: "object", ...(whereDescribed(shape) ?? brief(shape, depth, shapes)) };
  const { description, properties, items, required } = schema;
  if (depth >= MAX_DEPTH) return typeOf(schema);
  return {
    ...typeOf(schema),
    ...(description ? { description } : {}),
    ...(properties ? { properties: each(properties as Shapes, depth + 1, shapes) } : {}),
    ...(required ? { required } : {}),
    ...(items ? { items: brief(items as JsonSchema, depth, shapes) } : {}),
  };
}

function each(properties: Shapes, depth: number, shapes: Shapes): JsonSchema {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, brief(one, depth, shapes)]));
}

/** The type of a schema; a constant or an enum implies it. */
function typeOf({ type, const: value, enum: values }: JsonSchema): JsonSchema {
  if (value !== undefined) return { const: value };
  if (values !== undefined) return { enum: values };
  return type === undefined ? {} : { type };
}

/** Names the first tool whose answer has all fields of the shape. */
function whereDescribed(shape: JsonSchema): { description: string } | null {
  const fields = fieldsOf(shape);
  for (const operation of operations.filter((one) => isOn(one, "mcp"))) {
    const whole = fieldsOf(rootOf(operation));
    const isPart = [...fields].every(([name, field]) => whole.get(name) === field);
    const more = [...whole.keys()].filter((name) => !fields.has(name));
    if (isPart) return { description: `As ${operation.name} answers${more.length ? `, less ${more.join(", ")}` : ""}` };
  }
  return null;
}

function rootOf(operation: AnyOperation): JsonSchema {
  const { schema, components } = componentSchema(operation);
  return shapeOf(schema, components) ?? schema;
}

function fieldsOf({ properties }: JsonSchema): ReadonlyMap<string, string> {
  return new Map(Object.entries(properties as Shapes).map(([name, field]) => [name, JSON.stringify(field)]));
}

function shapeOf({ $ref }: JsonSchema, shapes: Shapes): JsonSchema | undefined {
  return typeof $ref === "string" ? shapes[$ref.slice("#/components/schemas/".length)] : undefined;
}
