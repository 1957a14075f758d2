import { afterAll, describe, expect, test } from "vitest";
import { dayOf } from "../../../../src/domain/limits/day.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { BODIES } from "../../../../src/platform/limits.ts";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";
import { parsed, rawClient, writeChunks } from "../../../support/network/raw-client.ts";
import { testService } from "../../../support/service/service.ts";
import { stateOf } from "../../../support/website/account-state.ts";

const service = await testService({ bodyTimeMs: 2_000 });
afterAll(() => service.close());
const { clock, db, url } = service;
const post = poster(url);
const METADATA = 'resource_metadata="http://beckon.test/.well-known/oauth-protected-resource/mcp"';

/** Sends the call in the era, once plain and once in the 2026-07-28 envelope. */
const ERAS = {
  "initialize era": (call: ReturnType<typeof message>, key?: string) => post(call, { key }),
  "2026-07-28": (call: ReturnType<typeof message>, key?: string) => {
    const { body, headers } = modern(call);
    return post(body, { key, headers });
  },
};

describe.each(["constructor", "__proto__", "toString", "hasOwnProperty", { toString: 1 }, ["tools/call"], null, 5])(
  "a method named %j",
  (method) => {
    const params = { name: "get_pricing", uri: "beckon://pricing", argument: null };
    const { body, headers } = modern(message("tools/call", params));

    test.each([
      ["initialize era", { ...message("tools/call", params), method }, {}],
      ["2026-07-28", { ...body, method }, { ...headers, "Mcp-Method": typeof method === "string" ? method : "none" }],
    ])("%s: is not known, and nothing fails", async (_, sent, named) => {
      const { status, json } = await post(sent, { headers: named });
      expect([-32_601, -32_600, -32_020]).toContain(json.error.code);
      expect(status).toBeLessThan(500);
      expect(service.errors).toEqual([]);
    });
  },
);

describe.each(Object.entries(ERAS))("%s", (_, send) => {
  test("401 unauthorized: a tool that needs a credential, with where to get one", async () => {
    const { status, headers, json } = await send(toolCall("get_account", {}, "a1"));
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(`Bearer realm="beckon", scope="read index purchase", ${METADATA}`);
    expect(json).toMatchObject({ jsonrpc: "2.0", id: "a1", error: { code: -32000, data: { code: "unauthorized" } } });
    expect(json.error.data.docs).toBe("http://beckon.test/docs/errors/unauthorized");
    expect(headers.get("ratelimit-limit")).toBe("60");
  });

  test("401 unauthorized: a credential that is not valid, even for a public tool", async () => {
    const { status, headers } = await send(toolCall("get_pricing"), "bk_test_0000000000000000000000000000000");
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer realm="beckon", error="invalid_token", scope="read index purchase", ${METADATA}`,
    );
  });

  test("403 insufficient_scope: names the scope; nothing is spent", async () => {
    const { id, key } = await service.account({ scopes: ["read"] });
    const before = await stateOf(db, id);
    const { status, headers, json } = await send(toolCall("submit_urls", { urls: ["https://example.com/"] }), key);
    expect([status, json.error.data.code, json.error.data.required_scope]).toEqual([
      403,
      "insufficient_scope",
      "index",
    ]);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer realm="beckon", error="insufficient_scope", scope="index", ${METADATA}`,
    );
    expect(headers.get("ratelimit-remaining")).toBe("119");
    expect(await stateOf(db, id)).toEqual(before);
  });

  test("429 rate_limited: the 121st request in a minute, of any kind", async () => {
    const { key } = await service.account();
    for (let i = 0; i < 120; i++) expect((await send(message("tools/list"), key)).status).toBe(200);
    const { status, headers, json } = await send(message("tools/list"), key);
    expect([status, json.error.data.code]).toEqual([429, "rate_limited"]);
    expect(headers.get("retry-after")).toBe(headers.get("ratelimit-reset"));
    expect(headers.get("ratelimit-remaining")).toBe("0");
    clock.pass(MINUTE);
  });

  test("429 rate_limited: a limit that only the call itself reaches is a status too", async () => {
    const { id, key } = await service.account();
    const day = dayOf(clock.now());
    await db.tx((tx) => tx.q.insert(tx.t.usage).values({ accountId: id, day, requests: 0, submissions: 500 }));
    const { status, headers, json } = await send(toolCall("submit_urls", { urls: ["https://example.com/"] }, 7), key);
    expect([status, json.id, json.error.data.code]).toEqual([429, 7, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(60);
    expect(headers.get("ratelimit-remaining")).toBe("119");
  });

  test("200: every answer has the rate headers", async () => {
    const { key } = await service.account();
    const { headers } = await send(toolCall("get_account"), key);
    expect(headers.get("ratelimit-limit")).toBe("120");
    expect(headers.get("ratelimit-policy")).toBe("120;w=60");
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    clock.pass(MINUTE);
  });
});

test("X-API-Key is accepted; a cookie and the query are never read", async () => {
  const { key } = await service.account();
  expect((await post(toolCall("get_account"), { headers: { "X-API-Key": key } })).status).toBe(200);
  expect((await post(toolCall("get_account"), { headers: { Cookie: `api_key=${key}` } })).status).toBe(401);
  const query = await fetch(`${url}/mcp?api_key=${key}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify(toolCall("get_account")),
  });
  expect(query.status).toBe(401);
});

test("400 invalid_request: two differing credentials", async () => {
  const [one, other] = [await service.account(), await service.account()];
  const { status, json } = await post(toolCall("get_pricing"), { key: one.key, headers: { "X-API-Key": other.key } });
  expect([status, json.error.code, json.error.data.code]).toEqual([400, -32600, "invalid_request"]);
});

test.each(["{", "", '{"jsonrpc":"2.0","id":1,"method":"tools/list"', "\ud800"])("400: %j is no JSON", async (body) => {
  const { status, json } = await post(body);
  expect([status, json.id]).toEqual([400, null]);
  expect(json.error.code).toBe(-32700);
});

test.each(["null", "3", '"text"', "{}", '{"jsonrpc":"1.0","id":1,"method":"ping"}', "[]"])(
  "400: %j is JSON and no message",
  async (body) => {
    const { status, json } = await post(body);
    expect([status, json.jsonrpc, typeof json.error.code]).toEqual([400, "2.0", "number"]);
  },
);

test("415: a body with another content type than JSON", async () => {
  const { status, json } = await post(message("ping"), { headers: { "Content-Type": "text/plain" } });
  expect([status, json.error.data.code]).toEqual([415, "unsupported_media_type"]);
});

test.each(["text/html", "text/event-stream", "application/json;q=0"])(
  "406: a client that accepts %s",
  async (Accept) => {
    expect((await post(message("ping"), { headers: { Accept } })).status).toBe(406);
  },
);

test.each(["application/json", "*/*", "application/*", "text/html, application/json; q=0.5"])(
  "200: a client that accepts %s, since every answer is JSON",
  async (Accept) => {
    const { body, headers } = modern(toolCall("get_pricing"));
    const current = await post(body, { headers: { ...headers, Accept } });
    const older = await post(toolCall("get_pricing"), { headers: { Accept } });
    const bySdk = await post(message("tools/list"), { headers: { Accept } });
    expect([current.status, older.status, bySdk.status]).toEqual([200, 200, 200]);
    expect(current.headers.get("content-type")).toBe("application/json");
  },
);

test.each(["GET", "DELETE", "PUT", "HEAD"])("405: %s without a session", async (method) => {
  const response = await fetch(`${url}/mcp`, { method, headers: { Accept: "text/event-stream" } });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect(response.headers.get("content-type")).toBe("application/json");
});

test("204: a preflight lists the methods and headers that are allowed", async () => {
  const response = await fetch(`${url}/mcp`, { method: "OPTIONS", headers: { Origin: "http://localhost:5173" } });
  expect(response.status).toBe(204);
  for (const name of ["Authorization", "X-API-Key", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"]) {
    expect(response.headers.get("access-control-allow-headers")).toContain(name);
  }
});

test("403: a page of another site, by Origin or by Host", async () => {
  expect((await post(message("ping"), { headers: { Origin: "https://evil.example" } })).status).toBe(403);
});

test("401: the body is not read before the caller is identified", async () => {
  const head = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json", "X-API-Key: bk_test_none"];
  const client = await rawClient(url, [...head, `Content-Length: ${BODIES.submission}`, "Expect: 100-continue"]);
  const text = await client.untilClosed();
  expect(text).not.toContain("100 Continue");
  expect(parsed(text).status).toBe(401);
});

describe("413 payload_too_large", () => {
  const head = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json"];

  test("declared over 84 MB, with a credential", async () => {
    const { key } = await service.account();
    const client = await rawClient(url, [...head, `X-API-Key: ${key}`, `Content-Length: ${BODIES.submission + 1}`]);
    const { status, json } = parsed(await client.untilClosed());
    expect([status, json.error.data.code]).toEqual([413, "payload_too_large"]);
  });

  test("chunked over 4 MB, without a credential", async () => {
    const client = await rawClient(url, [...head, "Transfer-Encoding: chunked"]);
    await writeChunks(client.socket, BODIES.anonymousEstimate + 1);
    expect(parsed(await client.untilClosed()).status).toBe(413);
  });
});

test("a submission of 10,000 URLs goes through", async () => {
  const { key } = await service.account({ credits: 10_000 });
  const urls = Array.from({ length: 10_000 }, (_, i) => `https://example.com/${"x".repeat(150)}/${i}`);
  const { json } = await post(toolCall("submit_urls", { urls }), { key });
  expect(json.result.structuredContent).toMatchObject({ urls_accepted: 10_000, balance: 0 });
});
