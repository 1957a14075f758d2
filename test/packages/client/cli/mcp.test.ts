import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { linesOf } from "../../../../packages/client/src/cli/mcp/lines.ts";
import { CLIENT, userOf } from "../../../support/client/beckon-client.ts";
import { callEveryTool, errorOf, toolsOf } from "../../../support/mcp/call-every-tool.ts";
import { CLIENTS } from "../../../support/mcp/clients.ts";
import { exchange } from "../../../support/mcp/stdio-exchange.ts";
import { type TestService, testService } from "../../../support/service/service.ts";

// A command of its own has to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
beforeAll(async () => {
  service = await testService({ publishUrl: true });
});
afterAll(() => service.close());

function commandOf(url: string, key?: string, ...args: string[]) {
  const env = { PATH: process.env.PATH!, ...(userOf(url, key) as Record<string, string>) };
  return { command: process.execPath, args: [...CLIENT, "mcp", ...args], cwd: process.cwd(), env };
}

const paid = async () => (await service.account({ credits: 500 })).key;

describe.each(Object.entries(CLIENTS))("%s through the bridge", (_, connect) => {
  test("lists and calls every tool of the service, with its refusals", async () => {
    const client = await connect(commandOf(service.url, await paid()));
    try {
      expect(await callEveryTool(client)).toEqual(toolsOf(service.config));
      const input = { urls: ["https://example.com/once"], idempotency_key: "once" };
      const first = await client.call("submit_urls", input);
      const again = await client.call("submit_urls", input);
      expect([again._meta?.["beckon/idempotent-replayed"], again.content]).toEqual([true, first.content]);
      expect(errorOf(await client.call("submit_urls", { urls: 3 })).issues).toMatchObject([{ path: "urls" }]);
    } finally {
      await client.close();
    }
  });
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
};

test("lists the toolsets that are asked for", async () => {
  const client = await CLIENTS["client 2.4, 2026-07-28"]!(
    commandOf(service.url, await paid(), "--toolsets", "webhooks"),
  );
  const names = (await client.list()).map(({ name }) => name);
  await client.close();
  expect(names).toContain("save_webhook");
  expect(names).not.toContain("submit_urls");
});

test("a wrong key is answered by an error of the protocol", async () => {
  const wrong = await exchange(commandOf(service.url, "bk_test_wrong"), [INITIALIZE]);
  expect(wrong.get(1)).toMatchObject({ error: { data: { code: "unauthorized" } } });
});

test.each([
  ["BECKON_URL", undefined, "No service is set"],
  ["a credential", "http://127.0.0.1:9", "Set BECKON_API_KEY to an API key of http://127.0.0.1:9"],
])("without %s it refuses, says what to set, and writes nothing to standard output", async (_, url, words) => {
  const { command, args, cwd, env } = commandOf(url ?? "");
  const child = spawn(command, args, { cwd, env });
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, "close")]);
  expect([child.exitCode, out, err.replaceAll("\n", " ")]).toEqual([2, "", expect.stringContaining(words)]);
});

test("a line may contain U+2028, and a message may come in pieces", async () => {
  async function* pieces() {
    for (const byte of Buffer.from('{"a":"\u2028é"}\r\n{"b":1}\nend')) yield Buffer.from([byte]);
  }
  const lines: string[] = [];
  for await (const line of linesOf(pieces())) lines.push(line);
  expect(lines).toEqual(['{"a":"\u2028é"}', '{"b":1}', "end"]);
});

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
