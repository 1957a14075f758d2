import { operations } from "../../../tools/index.ts";
import { componentSchema, type JsonSchema } from "../../contract/json-schema.ts";
import { type AnyOperation, isOn } from "../../contract/operation.ts";

/**
 * What a tool answers, in the size that suits a model, which reads the whole list before its first call: the fields, and
 * the fields of what stands in them. A shape that another tool answers whole is described there, and only named here.
 * Every answer that the full schema of the REST API allows is valid here too; bounds, and which fields are always there,
 * are said by that one.
 */
export function agentOutputSchema(operation: AnyOperation): JsonSchema {
  return { type: "object", ...brief(rootOf(operation), 0, componentSchema(operation).components) };
}

type Shapes = Readonly<Record<string, JsonSchema>>;

/** How many levels of objects are described. */
const DEEPEST = 2;

function brief(schema: JsonSchema, depth: number, shapes: Shapes): JsonSchema {
  const shape = shapeOf(schema, shapes);
  if (shape) return { type: "object", ...(whereDescribed(shape) ?? brief(shape, depth, shapes)) };
  const { description, properties, items } = schema;
  if (depth >= DEEPEST) return typeOf(schema);
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

/** The values say what type they are of. */
function typeOf({ type, const: value, enum: values }: JsonSchema): JsonSchema {
  if (value !== undefined) return { const: value };
  if (values !== undefined) return { enum: values };
  return type === undefined ? {} : { type };
}

/** The first tool whose whole answer is the shape, or has all of it and more. */
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
