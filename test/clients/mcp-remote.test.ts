import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, expect, test } from "vitest";
import { everyToolset, offeredTools } from "../support/mcp/offered-tools.ts";
import { testService } from "../support/service/service.ts";

const PROXY = join(dirname(createRequire(import.meta.url).resolve("mcp-remote/package.json")), "dist/proxy.js");

const service = await testService();
const { key } = await service.account();
const home = await mkdtemp(join(tmpdir(), "beckon-mcp-remote-"));
const client = new Client({ name: "desktop", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [PROXY, everyToolset(service), "--header", `Authorization: Bearer ${key}`],
    env: { PATH: process.env.PATH ?? "", HOME: home, MCP_REMOTE_CONFIG_DIR: home },
    stderr: "ignore",
  }),
);
afterAll(async () => {
  await client.close();
  await service.close();
  await rm(home, { recursive: true, force: true });
});

test("a client that speaks only stdio gets every tool and calls some, with an API key", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(offeredTools(service));
  const { structuredContent } = await client.callTool({ name: "get_account", arguments: {} });
  expect(structuredContent).toMatchObject({ object: "account", credits: 150 });
});
