import { afterAll, beforeEach, expect, test } from "vitest";
import { MINUTE } from "../../src/platform/clock.ts";
import { testService } from "../support/service/service.ts";
import { stateOf } from "../support/website/account-state.ts";

const service = await testService();
const { request, clock, db } = service;
afterAll(() => service.close());
beforeEach(() => clock.pass(MINUTE));

const { id, key } = await service.account();
const urls = ["https://example.com/"];

interface Bad {
  readonly name: string;
  readonly send: Parameters<typeof request>[2];
  readonly path?: string;
  readonly method?: string;
  readonly status: number;
  readonly code: string;
  /** Of the first issue. */
  readonly issue?: string;
}

const BAD: readonly Bad[] = [
  { name: "malformed JSON", send: { body: '{"urls": [' }, status: 400, code: "invalid_request" },
  {
    name: "a body that is not UTF-8",
    send: { body: Buffer.from([0x22, 0xff, 0x22]) },
    status: 400,
    code: "invalid_request",
  },
  { name: "a list instead of an object", send: { body: urls }, status: 400, code: "invalid_request" },
  { name: "no body", send: {}, status: 400, code: "invalid_request", issue: "urls" },
  { name: "null", send: { body: "null" }, status: 400, code: "invalid_request" },
  {
    name: "another content type",
    send: { body: JSON.stringify({ urls }), headers: { "Content-Type": "text/plain" } },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "another charset",
    send: { body: { urls }, headers: { "Content-Type": "application/json; charset=latin1" } },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "a compressed body",
    send: { body: { urls }, headers: { "Content-Encoding": "gzip" } },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "20,001 items",
    send: { body: { urls: Array(20_001).fill(urls[0]) } },
    status: 400,
    code: "invalid_request",
    issue: "urls",
  },
  { name: "no items", send: { body: { urls: [] } }, status: 400, code: "invalid_request", issue: "urls" },
  {
    name: "an item that is no text",
    send: { body: { urls: [...urls, 7] } },
    status: 400,
    code: "invalid_request",
    issue: "urls[1]",
  },
  {
    name: "a URL of 4,097 characters",
    send: { body: { urls: [...urls, `https://example.com/${"a".repeat(4_077)}`] } },
    status: 400,
    code: "invalid_request",
    issue: "urls[1]",
  },
  {
    name: "zero valid URLs",
    send: { body: { urls: ["ftp://example.com/", "example.com"] } },
    status: 400,
    code: "no_valid_urls",
  },
  {
    name: "10,001 left after dropping",
    send: {
      body: { urls: [...urls, ...urls, "no", ...Array.from({ length: 10_000 }, (_, i) => `https://example.com/${i}`)] },
    },
    status: 400,
    code: "too_many_urls",
  },
  {
    name: "drip_days 5",
    send: { body: { urls, drip_days: 5 } },
    status: 400,
    code: "invalid_request",
    issue: "drip_days",
  },
  {
    name: "an unknown mode",
    send: { body: { urls, mode: "fast" } },
    status: 400,
    code: "invalid_request",
    issue: "mode",
  },
  {
    name: "a NUL in the name",
    send: { body: { urls, name: "a\u0000b" } },
    status: 400,
    code: "invalid_request",
    issue: "name",
  },
  {
    name: "a name of 121 characters",
    send: { body: { urls, name: "n".repeat(121) } },
    status: 400,
    code: "invalid_request",
    issue: "name",
  },
  { name: "bing as text", send: { body: { urls, bing: "yes" } }, status: 400, code: "invalid_request", issue: "bing" },
  {
    name: "an idempotency key of 256 characters",
    send: { body: { urls }, headers: { "Idempotency-Key": "k".repeat(256) } },
    status: 400,
    code: "invalid_request",
    issue: "idempotency_key",
  },
  ...[
    "limit=0",
    "limit=201",
    "limit=ten",
    "limit=",
    "limit=1.5",
    "offset=-1",
    "offset=100001",
    "kind=nothing",
    "limit=1&limit=2",
  ].map((query) => ({
    name: query,
    method: "GET",
    path: `/projects?${query}`,
    send: {},
    status: 400,
    code: "invalid_request",
    issue: query.split("=")[0]!,
  })),
  { name: "an unknown project", method: "GET", path: "/projects/prj_0", send: {}, status: 404, code: "not_found" },
  { name: "an unknown address", method: "GET", path: "/nothing", send: {}, status: 404, code: "not_found" },
  {
    name: "a path that is not well encoded",
    method: "GET",
    path: "/projects/%E0%A4%A",
    send: {},
    status: 404,
    code: "not_found",
  },
  {
    name: "a method that is not there",
    method: "DELETE",
    path: "/projects",
    send: {},
    status: 405,
    code: "method_not_allowed",
  },
];

for (const bad of BAD) test(`${bad.status} ${bad.code}: ${bad.name}; nothing changes`, () => isRefused(bad));

async function isRefused({ send, path, method, status, code, issue }: Bad) {
  const before = await stateOf(db, id);
  const answer = await request(method ?? "POST", path ?? "/projects", { key, ...send });
  expect(answer.status).toBe(status);
  expect(answer.json.error.code).toBe(code);
  if (issue) expect(answer.json.error.issues[0].path).toBe(issue);
  expect(answer.json.error.docs).toBe(`${service.config.siteUrl}/docs/errors/${code}`);
  expect(answer.headers.get("ratelimit-limit")).toBe("120");
  expect(await stateOf(db, id)).toEqual(before);
}

test("400 invalid_request: a URL that is too long is named by its position", async () => {
  const long = `https://example.com/${"a".repeat(4_077)}`;
  const answer = await request("POST", "/projects", { key, body: { urls: [...urls, long] } });
  expect(answer.json.error.message).toContain("URL number 2 has more than 4096 characters");
});

test("200: lengths are counted in code points, so a URL with 4,096 of them is fine", async () => {
  const body = { urls: [`https://example.com/${"😀".repeat(4_076)}`] };
  const answer = await request("POST", "/estimate", { key, body });
  expect(answer.status).toBe(200);
});

test("400 invalid_request: an item of 4,097 emoji is too long, one of 4,096 is not", async () => {
  const fine = await request("POST", "/estimate", { key, body: { urls: ["😀".repeat(4_096)] } });
  expect(fine.json).toMatchObject({ urls: 0, invalid: 1 });
  const long = await request("POST", "/estimate", { key, body: { urls: ["😀".repeat(4_097)] } });
  expect(long.json.error.issues[0].path).toBe("urls[0]");
});

test("405 method_not_allowed: Allow lists the methods that are allowed", async () => {
  const answer = await request("DELETE", "/projects", { key });
  expect(answer.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
});

test("unknown fields and __proto__ are refused by a call that spends, and ignored by a read", async () => {
  const body =
    '{"urls":["https://example.com/p"],"surprise":1,"__proto__":{"kind":"instant"},"constructor":{"prototype":{}}}';
  const { status, json } = await request("POST", "/projects", { key, body });
  expect(status).toBe(400);
  expect(json.error.issues.map(({ path }: { path: string }) => path)).toEqual(["surprise", "__proto__", "constructor"]);
  expect((await request("POST", "/estimate", { key, body })).json).toMatchObject({ kind: "standard", urls: 1 });
  expect(({} as { kind?: string }).kind).toBeUndefined();
});

test.each(["%ff", "%zz", "%"])(
  "400 invalid_request: %s in a query is no text in UTF-8, and is not searched for",
  async (text) => {
    const { status, json } = await request("GET", `/projects?search=${text}`, { key });
    expect([status, json.error.code]).toEqual([400, "invalid_request"]);
    expect(json.error.message).toBe("The percent-encoding of the query is not valid.");
  },
);

test("200: unknown query parameters are ignored, repeated or not", async () => {
  expect((await request("GET", "/projects?utm=1&utm=2&__proto__=x&limit=1", { key })).status).toBe(200);
});

test.each(["", "/"])("200: /api/v1%s leads to everything else", async (path) => {
  const { status, json, headers } = await request("GET", path);
  expect([status, json.openapi, json.auth]).toEqual([
    200,
    "http://beckon.test/openapi.json",
    "http://beckon.test/auth.md",
  ]);
  expect(headers.get("ratelimit-limit")).toBe("60");
});

test("200: estimate_cost needs neither a body nor a content type", async () => {
  const answer = await request("POST", "/estimate");
  expect(answer.json).toEqual({
    kind: "standard",
    urls: 1,
    invalid: 0,
    duplicates: 0,
    invalid_examples: [],
    credits: 1,
    balance: null,
    enough: null,
  });
});

test("200: application/json with parameters is JSON", async () => {
  const headers = { "Content-Type": 'Application/JSON; charset="UTF-8"' };
  expect((await request("POST", "/estimate", { body: { count: 3 }, headers })).json.credits).toBe(3);
});
