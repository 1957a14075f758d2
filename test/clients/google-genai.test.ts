import { json } from "node:stream/consumers";
import { GoogleGenAI, mcpToTool } from "@google/genai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, expect, test } from "vitest";
import { geminiProblems } from "../support/mcp/model-schemas.ts";
import { everyToolset, offeredTools } from "../support/mcp/offered-tools.ts";
import { listen } from "../support/service/listen.ts";
import { testService } from "../support/service/service.ts";

interface FunctionDeclaration {
  readonly name: string;
  readonly parametersJsonSchema: object;
}

/** The part of a request to Gemini that the tests look at. */
interface Asked {
  readonly tools: { readonly functionDeclarations: FunctionDeclaration[] }[];
  readonly contents: { readonly parts: { readonly functionResponse?: { readonly response: Answered } }[] }[];
}

interface Answered {
  readonly structuredContent: object;
}

/** What the model says, one part a turn. */
const SCRIPT = [
  { functionCall: { name: "get_account", args: {} } },
  { functionCall: { name: "estimate_cost", args: { count: 3 } } },
  { text: "done" },
];

const asked: Asked[] = [];
const gemini = await listen(async (req, res) => {
  asked.push((await json(req)) as Asked);
  const part = SCRIPT[asked.length - 1];
  res.setHeader("Content-Type", "application/json");
  res.end(JSON.stringify({ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] }));
});
const service = await testService();
const { key } = await service.account();
const client = new Client({ name: "gemini", version: "1.0.0" });
const requestInit = { headers: { Authorization: `Bearer ${key}` } };
const transport = new StreamableHTTPClientTransport(new URL(everyToolset(service)), { requestInit });
// Its class and its interface disagree on optional properties under `exactOptionalPropertyTypes`.
await client.connect(transport as Transport);
afterAll(async () => {
  await client.close();
  await service.close();
  await gemini.close();
});

test("Gemini is given every tool in a form that it takes, and its calls are answered", async () => {
  const { models } = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: gemini.url } });
  const { text } = await models.generateContent({
    model: "gemini-test",
    contents: "What does it cost?",
    config: { tools: [mcpToTool(client)] },
  });
  expect(text).toBe("done");
  const functions = asked[0]!.tools.flatMap(({ functionDeclarations }) => functionDeclarations);
  expect(functions.map(({ name }) => name)).toEqual(offeredTools(service));
  for (const { name, parametersJsonSchema } of functions)
    expect(geminiProblems(parametersJsonSchema), name).toEqual([]);
  const answers = asked.at(-1)!.contents.flatMap(({ parts }) => parts.flatMap((part) => part.functionResponse ?? []));
  expect(answers.map(({ response }) => response.structuredContent)).toMatchObject([
    { object: "account", credits: 150 },
    { credits: 3, balance: 150 },
  ]);
});
