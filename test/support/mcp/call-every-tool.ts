import { expect } from "vitest";
import { outputSchema } from "../../../src/contract/json-schema.ts";
import { isOfferedBy, isOn } from "../../../src/contract/operation.ts";
import type { Config } from "../../../src/platform/config/config.ts";
import { DEFAULT_TOOLSETS } from "../../../src/surfaces/mcp/toolsets.ts";
import { operations } from "../../../tools/index.ts";
import { closedValidator } from "../checks/closed-schema.ts";
import type { ToolClient, ToolResult } from "./clients.ts";

/** Names of the tools that a service lists to whoever asks for no toolsets, in their order. */
export function toolsOf(config: Config): string[] {
  return operations
    .filter((one) => DEFAULT_TOOLSETS.has(one.toolset) && isOn(one, "mcp") && isOfferedBy(one, config))
    .map(({ name }) => name);
}

/** Arguments of each tool. A tool without an entry is called without arguments, and may refuse that. */
const ARGUMENTS: Record<string, (seen: Seen) => Record<string, unknown>> = {
  estimate_cost: () => ({ count: 12 }),
  submit_urls: () => ({ urls: ["https://example.com/a", "https://example.com/b"], drip_days: 3 }),
  check_urls: () => ({ urls: ["https://example.com/a"] }),
  get_project: ({ project }) => ({ project_id: project }),
  list_links: ({ project }) => ({ project_id: project }),
  get_link: ({ project, link }) => ({ project_id: project, link_id: link }),
  cancel_links: ({ project }) => ({ project_id: project }),
  get_order: ({ order }) => ({ order_id: order }),
  buy_credits: () => ({ pack: "basic" }),
};

interface Seen {
  project?: string;
  link?: string;
  order?: string;
}

/** Calls every listed tool, and checks each answer against the schemas. @returns the names of the tools */
export async function callEveryTool(client: ToolClient): Promise<string[]> {
  const tools = await client.list();
  const seen: Seen = {};
  // list_orders comes first: other tools need the id of an order.
  const order = (name: string) => (name === "list_orders" ? 0 : 1);
  for (const tool of [...tools].sort((a, b) => order(a.name) - order(b.name))) {
    const args = ARGUMENTS[tool.name]?.(seen) ?? {};
    const result = await client.call(tool.name, args);
    if (result.isError) {
      expect(ARGUMENTS[tool.name], result.content[0]!.text).toBeUndefined();
      expect(errorOf(result).code).toBe("invalid_request");
      continue;
    }
    const operation = operations.find(({ name }) => name === tool.name)!;
    for (const schema of [tool.outputSchema!, outputSchema(operation)]) {
      expect(closedValidator(schema)(answerOf(result)), `${tool.name} answers only members of its schemas`).toEqual([]);
    }
    remember(seen, result);
  }
  return tools.map(({ name }) => name);
}

/** The answer; its text and its structured content must be equal. */
export function answerOf({ content, structuredContent }: ToolResult): Record<string, unknown> {
  expect(content).toHaveLength(1);
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
  return structuredContent!;
}

/** The error object of a refused call. */
export function errorOf(result: ToolResult): { code: string; message: string; docs: string; [field: string]: unknown } {
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toBeUndefined();
  return JSON.parse(result.content[0]!.text).error;
}

function remember(seen: Seen, { structuredContent }: ToolResult): void {
  const { project, links, orders } = structuredContent as {
    project?: { id: string; kind: string };
    links?: { id: string }[];
    orders?: { id: string }[];
  };
  if (project?.kind === "index") seen.project ??= project.id;
  if (links?.[0]) seen.link = links[0].id;
  if (orders?.[0]) seen.order = orders[0].id;
}
