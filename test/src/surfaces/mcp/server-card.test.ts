import { afterAll, expect, test } from "vitest";
import { serverCard } from "../../../../src/surfaces/mcp/server-card.ts";
import { officialViolations, SERVER_CARD_RULES, violations } from "../../../support/checks/registry-rules.ts";
import { message, modern, poster } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const post = poster(service.url);

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
const card: any = await (await fetch(`${service.url}/mcp/server-card`)).json();

test("keeps the rules of the card's schema", () => {
  expect(violations(SERVER_CARD_RULES, card)).toEqual([]);
});

test.each([
  ["a name without a namespace", { name: "beckon" }],
  ["a long description", { description: "x".repeat(101) }],
  ["no version", { version: undefined }],
  ["tools", { tools: [] }],
  ["another schema", { $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server-card.schema.json" }],
  ["a remote without an address", { remotes: [{ type: "streamable-http" }] }],
])("the rules refuse a card with %s", (_, change) => {
  expect(violations(SERVER_CARD_RULES, JSON.parse(JSON.stringify({ ...card, ...change })))).not.toEqual([]);
});

test.skipIf(!process.env.SERVER_CARD_SCHEMA)("is valid by the official schema", () => {
  expect(officialViolations(process.env.SERVER_CARD_SCHEMA!, card, "ServerCard")).toEqual([]);
});

test("agrees with what server/discover says", async () => {
  const { body, headers } = modern(message("server/discover"));
  const { json } = await post(body, { headers });
  const info = json.result._meta["io.modelcontextprotocol/serverInfo"];
  expect(card.name.split("/")[1]).toBe(info.name);
  const { title, version, websiteUrl, icons } = info;
  expect(card).toMatchObject({ title, version, websiteUrl, icons });
  expect(card.remotes[0].supportedProtocolVersions).toEqual(expect.arrayContaining(json.result.supportedVersions));
});

test("every version that it names is supported at its address", async () => {
  const { url, supportedProtocolVersions } = card.remotes[0];
  expect(url).toBe(`${service.url}/mcp`);
  expect(supportedProtocolVersions.length).toBeGreaterThan(3);
  for (const protocolVersion of supportedProtocolVersions.slice(1)) {
    const clientInfo = { name: "test", version: "1.0.0" };
    const { json } = await post(message("initialize", { protocolVersion, capabilities: {}, clientInfo }));
    expect(json.result.protocolVersion).toBe(protocolVersion);
  }
  const { body, headers } = modern(message("server/discover"));
  expect(headers["MCP-Protocol-Version"]).toBe(supportedProtocolVersions[0]);
  expect((await post(body, { headers })).json.result.supportedVersions).toContain(supportedProtocolVersions[0]);
});

test.each([
  ["https://beckon.example", "example.beckon/beckon"],
  ["https://api.beckon.example:8443", "example.beckon.api/beckon"],
  ["http://localhost:3000", "localhost/beckon"],
  ["http://127.0.0.1:3000", "127.0.0.1/beckon"],
  ["http://[::1]:3000", "-1-/beckon"],
])("at %s its name is %s", (siteUrl, name) => {
  const made = serverCard({ siteUrl });
  expect(made).toMatchObject({ name });
  expect(violations(SERVER_CARD_RULES, JSON.parse(JSON.stringify(made)))).toEqual([]);
});
