import {
  fromJsonSchema,
  type InMemoryServerEventBus,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** Tools that look at the call itself: notifications in the middle, headers, schemas, change events. */
export function registerCalls(mcp: McpServer, bus: InMemoryServerEventBus): void {
  mcp.registerTool("test_tool_with_logging", { description: "Logs", inputSchema: NOTHING }, async (_, ctx) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
    }
    return said("logged");
  });
  mcp.registerTool("test_logging_tool", { description: "Logs when asked", inputSchema: NOTHING }, async (_, ctx) => {
    await ctx.mcpReq.log("info", "delivered only when the request asks for this level");
    return said("logged");
  });
  mcp.registerTool("test_tool_with_progress", { description: "Progresses", inputSchema: NOTHING }, reportProgress);
  mcp.registerTool("test_x_mcp_header", { description: "Has a mirrored argument", inputSchema: MIRRORED }, async () =>
    said("called"),
  );
  mcp.registerTool(
    "json_schema_2020_12_tool",
    { description: "Has a schema of 2020-12", inputSchema: MODERN },
    async () => said("called"),
  );
  mcp.registerTool("test_trigger_tool_change", { description: "Publishes", inputSchema: NOTHING }, async () => {
    bus.publish({ kind: "tools_list_changed" });
    return said("published");
  });
  mcp.registerTool("test_trigger_prompt_change", { description: "Publishes", inputSchema: NOTHING }, async () => {
    bus.publish({ kind: "prompts_list_changed" });
    return said("published");
  });
}

export const NOTHING = z.object({});

export function said(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

async function reportProgress(_: unknown, ctx: ServerContext) {
  const { progressToken } = ctx.mcpReq._meta ?? {};
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    await ctx.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken: progressToken!, progress, total: 100 },
    });
  }
  return said(String(progressToken));
}

const region = { type: "string", "x-mcp-header": "Region" } as const;
const MIRRORED = fromJsonSchema({ type: "object", properties: { region, level: { type: "integer" } } });

const MODERN = fromJsonSchema({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
});
