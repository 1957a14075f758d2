import { afterAll, expect, test } from "vitest";
import { iconsOf } from "../../../../src/platform/icons.ts";
import { version } from "../../../../src/platform/version.ts";
import { CLIENTS } from "../../../support/mcp/clients.ts";
import { message, modern, poster } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const post = poster(service.url);

test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
  "initialize agrees on %s",
  async (protocolVersion) => {
    const clientInfo = { name: "test", version: "1.0.0" };
    const { json } = await post(message("initialize", { protocolVersion, capabilities: {}, clientInfo }));
    // No `listChanged`.
    const resources = { subscribe: true };
    const extensions = { "io.modelcontextprotocol/skills": {}, "io.modelcontextprotocol/events": {} };
    const plain = { tools: {}, prompts: {}, completions: {}, events: {} };
    expect(json.result.capabilities).toEqual({ ...plain, resources, extensions });
    expect(json.result).toMatchObject({
      protocolVersion,
      serverInfo: { name: "beckon", title: "Beckon", version, websiteUrl: "http://beckon.test/docs/mcp" },
    });
    expect(json.result.serverInfo.icons).toEqual(iconsOf("http://beckon.test"));
    expect(json.result.instructions.length).toBeLessThanOrEqual(1_000);
    const headers = { "MCP-Protocol-Version": protocolVersion };
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" }, { headers })).status).toBe(202);
    const called = await post(message("tools/call", { name: "get_pricing" }), { headers });
    expect(called.json.result.structuredContent.object).toBe("pricing");
  },
);

test("initialize with an unknown version offers the newest one that begins with initialize", async () => {
  const params = { protocolVersion: "2030-01-01", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  expect((await post(message("initialize", params))).json.result.protocolVersion).toBe("2025-11-25");
});

test("2026-07-28: discover and the lists say how long they may be cached", async () => {
  for (const method of ["server/discover", "tools/list", "prompts/list", "resources/templates/list"]) {
    const { body, headers } = modern(message(method));
    const { json } = await post(body, { headers });
    expect(json.result).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "public" });
  }
});

test("2026-07-28: an unknown method is not found, and a message that contradicts its headers is refused", async () => {
  const unknown = modern(message("resources/subscribe"));
  expect((await post(unknown.body, unknown)).json.error.code).toBe(-32601);
  const { body, headers } = modern(message("tools/call", { name: "get_pricing" }));
  const { status, json } = await post(body, { headers: { ...headers, "Mcp-Name": "get_account" } });
  expect([status, json.error.code]).toEqual([400, -32020]);
});

test.each(Object.entries(CLIENTS))("%s agrees on its newest version", async (name, connect) => {
  const client = await connect({ url: `${service.url}/mcp` });
  expect(client.protocolVersion).toBe(name.includes("2026") ? "2026-07-28" : "2025-11-25");
  await client.close();
});
