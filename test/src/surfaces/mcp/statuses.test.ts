import { afterAll, describe, expect, test } from "vitest";
import { BODIES } from "../../../../src/platform/body-limits.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";
import { parsed, rawClient } from "../../../support/network/raw-client.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ bodyTimeMs: 2_000 });
afterAll(() => service.close());
const { clock, url } = service;
const post = poster(url);

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
    const { status, json } = await post(message("ping"), { headers: { Accept } });
    expect([status, json.error.message]).toEqual([
      406,
      "Every answer is JSON: send `Accept: application/json`, or no Accept.",
    ]);
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
});

test("a submission of 10,000 URLs goes through", async () => {
  const { key } = await service.account({ credits: 10_000 });
  const urls = Array.from({ length: 10_000 }, (_, i) => `https://example.com/${"x".repeat(150)}/${i}`);
  const { json } = await post(toolCall("submit_urls", { urls }), { key });
  expect(json.result.structuredContent).toMatchObject({ urls_accepted: 10_000, balance: 0 });
});
