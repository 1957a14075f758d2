import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { operations } from "../../../tools/index.ts";
import { agentInputSchema, type JsonSchema } from "../../contract/json-schema.ts";
import { type AnyOperation, type Effect, isOn } from "../../contract/operation.ts";
import { agentOutputSchema } from "./output-schema.ts";
import { type SecurityScheme, securitySchemesOf } from "./security-schemes.ts";
import { DEFAULT_TOOLSETS } from "./toolsets.ts";
import { viewMeta } from "./views/views.ts";

const here = operations.filter((operation) => isOn(operation, "mcp"));
const byName = new Map(here.map((operation) => [operation.name, operation]));
const made = new Map<AnyOperation, Tool>();

/** The operations of some toolsets that are offered, as tools, in the order of the product. Others can be called as well. */
export function toolList(isOffered: (operation: AnyOperation) => boolean, toolsets = DEFAULT_TOOLSETS): Tool[] {
  return here
    .filter(({ toolset }) => toolsets.has(toolset))
    .filter(isOffered)
    .map(toolOf);
}

export function operationOf(toolName: unknown): AnyOperation | undefined {
  return typeof toolName === "string" ? byName.get(toolName) : undefined;
}

/** Each tool is made once: no request changes it. */
function toolOf(operation: AnyOperation): Tool {
  const tool = made.get(operation) ?? toTool(operation);
  made.set(operation, tool);
  return tool;
}

function toTool(operation: AnyOperation): Tool & { securitySchemes: SecurityScheme[] } {
  const securitySchemes = securitySchemesOf(operation.access);
  return {
    name: operation.name,
    title: operation.title,
    description: operation.description,
    inputSchema: withPage(operation, agentInputSchema(operation)) as Tool["inputSchema"],
    // Clients validate results by it, also errors, and a PaymentRequired would not be valid.
    ...(operation.takesPayment
      ? {}
      : { outputSchema: agentOutputSchema(operation) as NonNullable<Tool["outputSchema"]> }),
    annotations: annotationsOf(operation),
    securitySchemes,
    // The SDKs' clients drop fields of a tool that they do not know.
    _meta: { securitySchemes, ...viewMeta(operation) },
  };
}

/** The title stands here, too: some hosts show this one only. A payment is a spend, by whatever name. */
function annotationsOf({ title, effect, readsWeb, takesPayment, rest }: AnyOperation): ToolAnnotations {
  const isDestructive = rest.method === "DELETE" ? { destructiveHint: true } : {};
  const reachesOut = readsWeb ? { openWorldHint: true } : {};
  return { title, ...HINTS[takesPayment ? "spend" : effect], ...isDestructive, ...reachesOut };
}

/** All four are set, since clients assume the worst for one that is absent. */
type Hints = Required<Omit<ToolAnnotations, "title">>;

const HINTS: Record<Effect, Hints> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // Spent credits are not given back on request, and hosts ask their user only before a destructive call.
  spend: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  // Makes a page on which a user pays.
  purchase: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  // A cancelled URL is never sent; calling again cancels nothing.
  cancel: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
};

/** Says that a page is cut where records are long, and how to go on (contract/fit-page.ts). */
function withPage({ agentDefaults }: AnyOperation, schema: JsonSchema): JsonSchema {
  if (agentDefaults?.limit === undefined) return schema;
  const properties = schema.properties as Record<string, JsonSchema>;
  const description = `${properties.limit!.description}; fewer where they are long`;
  return { ...schema, properties: { ...properties, limit: { ...properties.limit, description } } };
}
