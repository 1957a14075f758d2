import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, expect, test } from "vitest";
import { MINUTE, SECOND } from "../../src/platform/clock.ts";
import { consent } from "../support/oauth/consent.ts";
import { testService } from "../support/service/service.ts";
import { signedIn } from "../support/website/user.ts";

const PROXY = join(dirname(createRequire(import.meta.url).resolve("mcp-remote/package.json")), "dist/proxy.js");

const service = await testService({ publishUrl: true, config: { refreshOverlapMs: 30 * SECOND } });
const home = await mkdtemp(join(tmpdir(), "beckon-mcp-remote-"));
const { user } = await signedIn(service);
const clients: Client[] = [];
afterAll(async () => {
  for (const client of clients) await client.close();
  await service.close();
  await rm(home, { recursive: true, force: true });
});

/** Where mcp-remote wants its user to sign in, as it says on standard error, once it can take the answer. */
async function addressIn(stderr: NodeJS.ReadableStream): Promise<URL> {
  for (let text = ""; ; ) {
    const [chunk] = await once(stderr, "data");
    text += chunk;
    const [, address] = /Please authorize this client by visiting:\s*(\S+)\s/.exec(text) ?? [];
    if (address !== undefined && text.includes("OAuth callback server running")) return new URL(address);
  }
}

/** Starts mcp-remote, whose processes share what they know of a server. */
async function start(): Promise<{ client: Client; address: Promise<URL> }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROXY, `${service.url}/mcp?toolsets=jobs,webhooks`],
    env: { PATH: "", HOME: home, MCP_REMOTE_CONFIG_DIR: home },
    stderr: "pipe",
  });
  const client = new Client({ name: "desktop", version: "1.0.0" });
  clients.push(client);
  const address = addressIn(transport.stderr as unknown as NodeJS.ReadableStream);
  await client.connect(transport);
  return { client, address };
}

const webhooksOf = async (client: Client) =>
  (await client.callTool({ name: "list_webhooks", arguments: {} })).structuredContent;

test("mcp-remote signs in at an address with toolsets, and two of its processes renew their tokens at once", async () => {
  const { client, address } = await start();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("list_webhooks");

  const asked = webhooksOf(client);
  const request = await address;
  expect(request.searchParams.get("resource")).toBe(`${service.url}/mcp?toolsets=jobs,webhooks`);
  const answer = await fetch(await consent(user, request));
  expect(answer.status).toBe(200);
  await answer.text();
  expect(await asked).toMatchObject({ webhooks: [] });

  const other = await start();
  for (let hour = 0; hour < 3; hour++) {
    service.clock.pass(61 * MINUTE);
    const both = await Promise.all([webhooksOf(client), webhooksOf(other.client)]);
    expect(both).toEqual([
      { webhooks: [], has_more: false },
      { webhooks: [], has_more: false },
    ]);
  }
  const ends = await service.db.q.select({ endedBy: service.db.t.grants.endedBy }).from(service.db.t.grants);
  expect(ends).toEqual([{ endedBy: null }]);
});
