import { afterAll, expect, test } from "vitest";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ publishUrl: true, config: { contact: "operator@example.com" } });
afterAll(() => service.close());

const ask = (path: string, init?: RequestInit) => fetch(service.url + path, init);

const FILES: readonly (readonly [path: string, type: string, maxAge: number])[] = [
  ["/openapi.json", "application/json; charset=utf-8", 300],
  ["/.well-known/agent-card.json", "application/json; charset=utf-8", 300],
  ["/.well-known/agent.json", "application/json; charset=utf-8", 300],
  ["/mcp/server-card", "application/mcp-server-card+json", 3600],
  ["/.well-known/mcp/server-card.json", "application/mcp-server-card+json", 3600],
  ["/.well-known/mcp.json", "application/mcp-server-card+json", 3600],
  ["/.well-known/mcp-server-card", "application/mcp-server-card+json", 3600],
  ["/.well-known/api-catalog", 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', 3600],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json", 3600],
  ["/.well-known/mcp/catalog.json", "application/ai-catalog+json", 3600],
  ["/llms.txt", "text/plain; charset=utf-8", 300],
  ["/llms-full.txt", "text/plain; charset=utf-8", 300],
  ["/robots.txt", "text/plain; charset=utf-8", 3600],
  ["/sitemap.xml", "application/xml; charset=utf-8", 3600],
  ["/beckon.tgz", "application/gzip", 300],
  ["/beckon.mcpb", "application/zip", 300],
  ["/.well-known/agent-skills/index.json", "application/json; charset=utf-8", 300],
  ["/.well-known/agent-skills/beckon-indexing/SKILL.md", "text/markdown; charset=utf-8", 300],
  ["/.well-known/security.txt", "text/plain; charset=utf-8", 3600],
];

test.each(FILES)("200 %s: its media type, readable from any origin, cacheable", async (path, type, maxAge) => {
  const response = await ask(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(type);
  expect(response.headers.get("cache-control")).toBe(`public, max-age=${maxAge}`);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-expose-headers")).toMatch(/WWW-Authenticate.*, Link, ETag$/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const text = await response.text();
  expect(text.length).toBeGreaterThan(40);
  if (type.includes("json")) expect(typeof JSON.parse(text)).toBe("object");
});

test.each(FILES)("304 %s: for a matching ETag", async (path) => {
  const first = await ask(path);
  await first.text();
  const etag = first.headers.get("etag")!;
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  const again = await ask(path, { headers: { "If-None-Match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const other = await ask(path, { headers: { "If-None-Match": '"another"' } });
  expect([other.status, other.headers.get("etag")]).toEqual([200, etag]);
  await other.text();
});

test.each(FILES)("HEAD %s: the same headers, no body", async (path, type) => {
  const [head, get] = [await ask(path, { method: "HEAD" }), await ask(path)];
  const body = await get.arrayBuffer();
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-type")).toBe(type);
  expect(head.headers.get("content-length")).toBe(String(body.byteLength));
  for (const name of ["etag", "cache-control", "link", "vary"])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
});

test.each(FILES)("405 %s: read-only", async (path) => {
  const response = await ask(path, { method: "POST", headers: { Accept: "application/json" } });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect(await response.json()).toMatchObject({ error: { code: "method_not_allowed" } });
});

test("204: the preflight allows A2A-Version and If-None-Match", async () => {
  const preflight = await ask("/.well-known/agent-card.json", { method: "OPTIONS" });
  expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
    204,
    "GET, HEAD, OPTIONS",
  ]);
  expect(preflight.headers.get("access-control-allow-headers")).toMatch(/A2A-Version, If-None-Match/);
});

test("below /mcp only the server card is served by discovery", async () => {
  expect((await ask("/mcp/server-card?x=1")).status).toBe(200);
  expect((await ask("/mcp/server-cards")).status).toBe(404);
  expect((await ask("/mcp")).status).toBe(405);
});

test("the front page links to everything, by registered relations", async () => {
  const response = await ask("/");
  await response.text();
  const links = response.headers.get("link")!.split(/, (?=<)/);
  const parsed = links.map((one) => one.match(/^<([^>]+)>; rel="([^"]+)"/)!.slice(1));
  expect(parsed.filter(([, relation]) => relation !== "alternate")).toEqual([
    ["/.well-known/api-catalog", "api-catalog"],
    ["/openapi.json", "service-desc"],
    ["/mcp/server-card", "service-meta"],
    ["/.well-known/agent-card.json", "service-meta"],
    ["/docs", "service-doc"],
    ["/auth.md", "service-doc"],
    ["/llms.txt", "describedby"],
    ["/.well-known/ai-catalog.json", "describedby"],
    ["/healthz", "status"],
  ]);
});

test("the token of OpenAI's directory is served as it was set, and only then", async () => {
  expect((await ask("/.well-known/openai-apps-challenge")).status).toBe(404);
  const listed = await testService({ config: { openaiAppsChallenge: "token-of-the-portal" } });
  try {
    const response = await fetch(`${listed.url}/.well-known/openai-apps-challenge`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(await response.text()).toBe("token-of-the-portal");
  } finally {
    await listed.close();
  }
});

test("security.txt exists only if there is a contact", async () => {
  const text = await (await ask("/.well-known/security.txt")).text();
  expect(text).toMatch(/^Contact: mailto:operator@example\.com\nExpires: \d{4}-\d\d-\d\dT00:00:00\.000Z\n/);
  const nobody = await testService();
  try {
    expect((await fetch(`${nobody.url}/.well-known/security.txt`)).status).toBe(404);
  } finally {
    await nobody.close();
  }
});
