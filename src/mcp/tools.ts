import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { operations } from "../../tools/index.ts";
import { inputSchema, type JsonSchema, outputSchema } from "../contract/json-schema.ts";
import { type AnyOperation, type Effect, isIdempotent } from "../contract/operation.ts";
import { SIZES } from "../limits/table.ts";

/** Every operation as a tool, in the order of the product; made once, since no request changes it. */
export function toolList(): Tool[] {
  made ??= operations.map(toTool);
  return made;
}

let made: Tool[] | undefined;

const byName = new Map(operations.map((operation) => [operation.name, operation]));

export function operationOf(toolName: unknown): AnyOperation | undefined {
  return typeof toolName === "string" ? byName.get(toolName) : undefined;
}

function toTool(operation: AnyOperation): Tool {
  return {
    name: operation.name,
    title: operation.title,
    description: operation.description,
    inputSchema: withKey(operation, inputSchema(operation, "agent")) as Tool["inputSchema"],
    outputSchema: outputSchema(operation) as NonNullable<Tool["outputSchema"]>,
    annotations: {
      title: operation.title,
      ...HINTS[operation.effect],
      ...(operation.readsWeb ? { openWorldHint: true } : {}),
    },
  };
}

/** All four are said, since clients take the worst for what is not. */
type Hints = Required<Omit<ToolAnnotations, "title">>;

const HINTS: Record<Effect, Hints> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // Spent credits are a record, not a loss of data; the URLs go out to the search engines.
  spend: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  purchase: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  // What is cancelled will not be sent any more; calling again cancels nothing.
  cancel: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
};

/** Where HTTP has the header Idempotency-Key, a tool has an argument. */
function withKey(operation: AnyOperation, schema: JsonSchema): JsonSchema {
  if (!isIdempotent(operation)) return schema;
  return { ...schema, properties: { ...(schema.properties as object), idempotency_key: KEY } };
}

const KEY = {
  type: "string",
  minLength: 1,
  maxLength: SIZES.idempotencyKey,
  description: "Any unique text. Repeat it when you retry: the first answer comes back and nothing is spent twice",
};
