import { operations } from "../../../tools/index.ts";
import { listOf } from "../../contract/fit-page.ts";
import { componentSchema, type JsonSchema } from "../../contract/json-schema.ts";
import { type AnyOperation, isOn } from "../../contract/operation.ts";

/**
 * The output schema of a tool, short enough for a model, which reads all tools before its first call: the fields with their types,
 * and which of them are always there. A small object in an answer is described by the names of its fields; a shape that another tool
 * answers is described there, and only named here. Every answer that is valid by the full schema of the REST API is valid by this
 * one, which leaves out bounds.
 */
export function agentOutputSchema(operation: AnyOperation): JsonSchema {
  const { components } = componentSchema(operation);
  const { properties, required } = rootOf(operation);
  const fields = Object.entries(properties as Shapes).map(([name, field]) => [name, fieldOf(field, components)]);
  const page = listOf(operation) ? { next_offset: NEXT_OFFSET } : {};
  return { type: "object", properties: { ...Object.fromEntries(fields), ...page }, ...(required ? { required } : {}) };
}

/** Where the next page of a list begins, if there is one. */
const NEXT_OFFSET: JsonSchema = { type: "integer" };

type Shapes = Readonly<Record<string, JsonSchema>>;

/** A field of an answer: its type, its values if they are known, and what it means. */
function fieldOf(schema: JsonSchema, shapes: Shapes): JsonSchema {
  const [nullable, other] = (schema.anyOf ?? []) as JsonSchema[];
  if (nullable && other?.type === "null") {
    const { type, description, ...rest } = fieldOf(nullable, shapes);
    return { type: [type, "null"], ...rest, ...saying(description, schema.description) };
  }
  const shape = shapeOf(schema, shapes);
  if (shape) return { type: "object", ...saying(whereDescribed(shape) ?? namesIn(shape)) };
  const { type, enum: values, items, description } = schema;
  return {
    type,
    ...(values ? { enum: values } : {}),
    ...saying(description, namesIn(schema)),
    ...(items ? { items: fieldOf(items as JsonSchema, shapes) } : {}),
  };
}

function saying(...texts: readonly unknown[]): JsonSchema {
  const description = texts.filter(Boolean).join("; ");
  return description === "" ? {} : { description };
}

/** The names of a few fields; an answer shows more of them soon enough. */
function namesIn({ properties = {} }: JsonSchema): string | undefined {
  const names = Object.keys(properties as Shapes);
  return names.length > MOST_NAMED ? undefined : names.join(", ");
}

/** How many fields are named of an object, and how many that a shape lacks. */
const MOST_NAMED = 3;

/** Names the first tool whose answer has all fields of the shape. */
function whereDescribed(shape: JsonSchema): string | null {
  const fields = fieldsOf(shape);
  for (const operation of operations.filter((one) => isOn(one, "mcp"))) {
    const whole = fieldsOf(rootOf(operation));
    const isPart = [...fields].every(([name, field]) => whole.get(name) === field);
    const more = [...whole.keys()].filter((name) => !fields.has(name));
    const less = more.length > MOST_NAMED ? "in part" : `less ${more.join(", ")}`;
    if (isPart) return `As ${operation.name} answers${more.length ? `, ${less}` : ""}`;
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
