import { operations } from "../../../tools/index.ts";
import { componentSchema, type JsonSchema } from "../../contract/json-schema.ts";
import { type AnyOperation, isOn } from "../../contract/operation.ts";

/**
 * The output schema of a tool, short enough for a model, which reads all tools before its first call: the fields, and the
 * fields inside them. A shape that another tool answers is described there, and only named here. Every answer that is
 * valid by the full schema of the REST API is valid by this one, which leaves out bounds and required fields.
 */
export function agentOutputSchema(operation: AnyOperation): JsonSchema {
  return { type: "object", ...brief(rootOf(operation), 0, componentSchema(operation).components) };
}

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
  const { description, properties, items } = schema;
  if (depth >= MAX_DEPTH) return typeOf(schema);
  return {
    ...typeOf(schema),
    ...(description ? { description } : {}),
    ...(properties ? { properties: each(properties as Shapes, depth + 1, shapes) } : {}),
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
