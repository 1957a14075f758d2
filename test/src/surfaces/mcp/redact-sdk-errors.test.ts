import { afterAll, expect, test } from "vitest";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const post = poster(service.url);

const VERSION = "io.modelcontextprotocol/protocolVersion";
const MISMATCH = "The headers MCP-Protocol-Version, Mcp-Method and Mcp-Name are required and must match the body.";
const { body, headers } = modern(message("ping"));
/** A message of 2026-07-28 that claims another version. */
const claiming = (version: string) => ({
  ...body,
  params: { _meta: { ...body.params._meta, [VERSION]: version } },
});

test.each(["1999-01-01", "1 secret"])("400: the header names the version %j, which is not repeated", async (name) => {
  const { status, json, text } = await post(message("ping"), { headers: { "MCP-Protocol-Version": name } });
  expect([status, json.error.code]).toEqual([400, -32000]);
  expect(json.error.message).toMatch(/^Bad Request: Unsupported protocol version \(supported versions: 2025-11-25, /);
  expect(text).not.toContain(name);
});

test("400: the header names an unknown version, and the body none", async () => {
  const { status, json } = await post(message("ping"), { headers: { "MCP-Protocol-Version": "a secret" } });
  const missing = ["_meta"];
  expect([status, json.error]).toMatchObject([400, { code: -32602, data: { envelope: { missing } } }]);
  expect(json.error.message).toMatch(
    /^`_meta` is missing: 2026-07-28 needs io\.modelcontextprotocol\/protocolVersion, .*clientInfo in it\. Revisions with `initialize`: 2025-11-25, /,
  );
});

test("-32022: an unsupported version is repeated only in data, as the protocol requires, and only if it looks like a version", async () => {
  for (const [version, requested] of [
    ["2999-01-01", "2999-01-01"],
    ["9".repeat(33), "unknown"],
    ["a secret", "unknown"],
  ] as const) {
    const sent = { ...headers, "MCP-Protocol-Version": version };
    const { status, json } = await post(claiming(version), { headers: sent });
    const data = { supported: ["2026-07-28"], requested };
    expect([status, json.error]).toEqual([400, { code: -32022, message: "Unsupported protocol version", data }]);
  }
});

test.each([
  ["Mcp-Name says another tool", { "Mcp-Name": "a secret" }],
  ["Mcp-Name is no Base64", { "Mcp-Name": "=?base64?a secret?=" }],
  ["Mcp-Method says another method", { "Mcp-Method": "a secret" }],
  ["MCP-Protocol-Version says another version", { "MCP-Protocol-Version": "2999-01-01" }],
])("-32020: %s; neither is repeated", async (_, other) => {
  const call = modern(toolCall("get_pricing", {}, "an id"));
  const { status, json } = await post(call.body, { headers: { ...call.headers, ...other } });
  expect([status, json]).toEqual([400, { jsonrpc: "2.0", id: "an id", error: { code: -32020, message: MISMATCH } }]);
});

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const NOT_SO = `\`_meta.${CAPABILITIES}\`: missing, or not in the form that the protocol defines.`;

test.each([5, undefined])("-32602: what a request says of its client is %j, and is named", async (capabilities) => {
  const params = { _meta: { ...body.params._meta, [CAPABILITIES]: capabilities } };
  const { status, json } = await post({ ...body, params }, { headers });
  expect([status, json.error]).toEqual([400, { code: -32602, message: NOT_SO }]);
});
