import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, expect, test } from "vitest";
import { geminiProblems } from "../support/mcp/model-schemas.ts";
import { everyToolset, offeredTools } from "../support/mcp/offered-tools.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
const { key } = await service.account();
const headers = { Authorization: `Bearer ${key}` };
const client = await createMCPClient({ transport: { type: "http", url: everyToolset(service), headers } });
afterAll(async () => {
  await client.close();
  await service.close();
});

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const end = (unified: "tool-calls" | "stop") => ({ finishReason: { unified, raw: undefined }, usage, warnings: [] });

/** What a model answers that calls a tool. */
function calling(toolName: string, input: object) {
  const call = { type: "tool-call" as const, toolCallId: `call_${toolName}`, toolName, input: JSON.stringify(input) };
  return { content: [call], ...end("tool-calls") };
}

test("a model is given every tool, and its calls are answered", async () => {
  const model = new MockLanguageModelV4({
    doGenerate: [
      calling("get_account", {}),
      calling("estimate_cost", { count: 3 }),
      { content: [{ type: "text", text: "done" }], ...end("stop") },
    ],
  });
  const { text, steps } = await generateText({
    model,
    tools: await client.tools(),
    stopWhen: isStepCount(3),
    prompt: "What does it cost?",
  });
  expect(text).toBe("done");
  const given = model.doGenerateCalls[0]!.tools!;
  expect(given.map(({ name }) => name)).toEqual(offeredTools(service));
  for (const tool of given) expect("inputSchema" in tool && geminiProblems(tool.inputSchema), tool.name).toEqual([]);
  const answers = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  expect(answers).toMatchObject([
    { structuredContent: { object: "account", credits: 150 } },
    { structuredContent: { credits: 3, balance: 150 } },
  ]);
});
