import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { afterAll, expect, test } from "vitest";
import { geminiProblems } from "../support/mcp/model-schemas.ts";
import { everyToolset, offeredTools } from "../support/mcp/offered-tools.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
const { key } = await service.account();
const client = new MultiServerMCPClient({
  beckon: { transport: "http", url: everyToolset(service), headers: { Authorization: `Bearer ${key}` } },
});
afterAll(async () => {
  await client.close();
  await service.close();
});

test("every tool becomes a tool of LangChain, whose calls are answered", async () => {
  const tools = await client.getTools();
  expect(tools.map(({ name }) => name)).toEqual(offeredTools(service));
  for (const tool of tools)
    expect(geminiProblems(convertToOpenAITool(tool).function.parameters), tool.name).toEqual([]);
  const call = (name: string, input: object) => tools.find((tool) => tool.name === name)!.invoke(input);
  expect(await call("get_account", {})).toMatchObject({ structuredContent: { object: "account", credits: 150 } });
  expect(await call("estimate_cost", { count: 3 })).toMatchObject({ structuredContent: { credits: 3, balance: 150 } });
  // Its validation by the schema finds a field that the service would refuse.
  await expect(call("submit_urls", { urls: ["https://example.com/"], drip: 3 })).rejects.toThrow(/schema/);
});
