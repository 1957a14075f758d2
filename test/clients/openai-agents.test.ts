import {
  Agent,
  getAllMcpTools,
  MCPServerStreamableHttp,
  type Model,
  type ModelRequest,
  Runner,
  Usage,
} from "@openai/agents";
import { afterAll, expect, test } from "vitest";
import { openAiProblems } from "../support/mcp/model-schemas.ts";
import { everyToolset, offeredTools } from "../support/mcp/offered-tools.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
const { key } = await service.account();
const server = new MCPServerStreamableHttp({
  url: everyToolset(service),
  requestInit: { headers: { Authorization: `Bearer ${key}` } },
});
await server.connect();
afterAll(async () => {
  await server.close();
  await service.close();
});

test("law: every tool becomes a strict function of OpenAI's API", async () => {
  const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
  expect(tools.map(({ name }) => name)).toEqual(offeredTools(service));
  for (const tool of tools) {
    if (tool.type !== "function") throw new Error(`${tool.name} is no function`);
    expect(tool.strict, tool.name).toBe(true);
    expect(openAiProblems(tool.parameters), tool.name).toEqual([]);
  }
});

/** A model that calls these tools, one a turn, and then says what the last one answered. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #calls: [name: string, input: object][];

  constructor(...calls: [name: string, input: object][]) {
    this.#calls = calls;
  }

  async getResponse(request: ModelRequest) {
    this.requests.push(request);
    const call = this.#calls[this.requests.length - 1];
    const [name, input] = call ?? [];
    const id = `call_${this.requests.length}`;
    const said = { type: "message", role: "assistant", status: "completed" } as const;
    return {
      usage: new Usage(),
      output: call
        ? [
            {
              type: "function_call",
              callId: id,
              name: name!,
              arguments: JSON.stringify(input),
              status: "completed",
            } as const,
          ]
        : [{ ...said, content: [{ type: "output_text" as const, text: "done" }] }],
    };
  }

  getStreamedResponse(): never {
    throw new Error("no stream is asked for");
  }
}

test("an agent in strict mode, which writes null for what it leaves out, reads, prices and submits", async () => {
  const model = new ScriptedModel(
    ["get_account", {}],
    ["estimate_cost", { kind: "standard", urls: null, count: 3 }],
    [
      "submit_urls",
      {
        ...{ urls: ["https://example.com/a"], mode: "standard", name: null, bing: true, yandex: null },
        ...{ drip_days: null, skip_indexed: false, idempotency_key: null },
      },
    ],
  );
  const agent = new Agent({
    name: "indexer",
    model,
    mcpServers: [server],
    mcpConfig: { convertSchemasToStrict: true },
  });
  const { output, finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, "Index a page");
  expect(finalOutput).toBe("done");
  const answers = output.flatMap((item) => (item.type === "function_call_result" ? [answerIn(item.output)] : []));
  expect(answers).toMatchObject([
    { object: "account", credits: 150 },
    { kind: "standard", urls: 3, credits: 3, balance: 150 },
    { project: { object: "project", counts: { total: 1 } }, credits_spent: 1, balance: 149 },
  ]);
});

/** The answer in what a model gets of a tool's result. */
function answerIn(output: unknown): unknown {
  const [{ text }] = output as [{ readonly text: string }];
  return JSON.parse(text);
}
