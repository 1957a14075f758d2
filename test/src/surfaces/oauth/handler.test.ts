import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { ENDPOINTS } from "../../../../src/surfaces/oauth/endpoints.ts";
import { appOf } from "../../../support/oauth/app.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { clock, url } = service;
const app = appOf(service);
beforeEach(() => clock.pass(MINUTE));

const all = [...ENDPOINTS].map(([path, { method, body }]) => ({ path, method, body }));
const posts = all.filter(({ method }) => method === "POST");
const flat = ["/oauth/token", "/oauth/revoke"];

test.each(all)("204: a preflight of $path is answered, from any origin", async ({ path, method }) => {
  const headers = { Origin: "http://127.0.0.1:5173", "Access-Control-Request-Method": method };
  const response = await fetch(`${url}${path}`, { method: "OPTIONS", headers });
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  expect(response.headers.get("access-control-allow-methods")).toContain(method);
  expect(response.headers.get("access-control-allow-headers")).toContain("Content-Type");
});

test.each(posts)(
  "405: GET $path is refused with an Allow header; pages of any origin can read the error",
  async ({ path }) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const response = await fetch(`${url}${path}`, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toMatch(/WWW-Authenticate.*Retry-After/);
      expect(response.headers.get("cache-control")).toBe("no-store");
      await response.text();
    }
  },
);

test.each(all.filter(({ method }) => method === "GET"))(
  "405: POST $path is refused; the answer to HEAD has no body",
  async ({ path }) => {
    const response = await fetch(`${url}${path}`, { method: "POST", body: "x" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const head = await fetch(`${url}${path}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(10);
  },
);

describe.each(flat)("%s", (path) => {
  test.each([
    ["application/json", '{"grant_type":"refresh_token","token":"x"}'],
    ["text/plain", "token=x"],
    ["multipart/form-data; boundary=x", "--x--"],
    ["application/x-www-form-urlencodedx", "token=x"],
  ])("415 in the error format of OAuth: a body of %s", async (type, body) => {
    const { status, json } = await app.post(path, body, { "Content-Type": type });
    expect(status).toBe(415);
    expect(json).toEqual({
      error: "invalid_request",
      error_description: expect.stringContaining("application/x-www-form-urlencoded"),
      error_uri: "http://beckon.test/docs/errors/invalid_request",
    });
  });

  test("a charset after the content type is accepted", async () => {
    const type = "Application/X-WWW-Form-Urlencoded; charset=UTF-8";
    expect((await app.post(path, "x=1", { "Content-Type": type })).status).toBe(400);
  });

  test("413 in the error format of OAuth: a body over 32 KB, announced or not", async () => {
    const { status, json } = await app.post(path, `token=${"x".repeat(32 * 1024)}`);
    expect([status, json.error]).toEqual([413, "invalid_request"]);
    const chunks = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 33; n++) controller.enqueue(new TextEncoder().encode("x".repeat(1024)));
        controller.close();
      },
    });
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: chunks,
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
    await response.text();
  });

  test("415: a compressed body", async () => {
    expect((await app.post(path, "token=x", { "Content-Encoding": "gzip" })).status).toBe(415);
  });

  test("401 invalid_client: an Authorization header is refused before the body is read", async () => {
    const { status, json, headers } = await app.post(path, "{", { Authorization: "Basic Og==", "Content-Type": "x/y" });
    expect([status, json.error]).toEqual([401, "invalid_client"]);
    expect(headers.get("www-authenticate")).toBe('Basic realm="beckon"');
  });

  test("a cookie is ignored", async () => {
    expect((await app.post(path, "", { Cookie: "sid=x; token=y" })).json.error).toBe("invalid_request");
  });

  test("429 in the error format of OAuth: the 61st failure of an address in a minute, until the next minute", async () => {
    for (let n = 0; n < 60; n++) expect((await app.post(path, "")).status).toBe(400);
    const { status, json, headers } = await app.post(path, "");
    expect([status, json.error]).toEqual([429, "rate_limited"]);
    expect(json.error_uri).toBe("http://beckon.test/docs/errors/rate_limited");
    expect(headers.get("retry-after")).toBe("60");
    clock.pass(MINUTE);
    expect((await app.post(path, "")).status).toBe(400);
  });
});

test("failures count together with those on the other surfaces; successes do not count", async () => {
  for (let n = 0; n < 30; n++) await app.post("/oauth/token", "");
  for (let n = 0; n < 30; n++)
    await fetch(`${url}/api/v1/account`, { headers: { "X-API-Key": "x" } }).then((response) => response.text());
  expect((await app.post("/oauth/token", "")).status).toBe(429);
  const { access, refresh } = await app.connected();
  expect((await app.statuses(access)).rest).toBe(200);
  expect((await app.refresh(refresh)).status).toBe(200);
});

test("500 server_error in the error format of OAuth: the error is logged and not disclosed", async () => {
  const { db } = service;
  const original = db.tx;
  try {
    Object.assign(db, {
      tx: () => Promise.reject(new Error("secret detail")),
    });
    const code = `beckon_ac_${"A".repeat(43)}`;
    const { status, text, json } = await app.exchange(code);
    expect([status, json.error]).toEqual([500, "server_error"]);
    expect(text).not.toContain("secret detail");
  } finally {
    Object.assign(db, { tx: original });
  }
  // Counts, which are written once a second, may have failed too.
  const logged = service.errors.filter((fields) => "path" in fields);
  expect(logged).toEqual([{ err: expect.any(Error), path: "/oauth/token" }]);
  expect(JSON.stringify(service.errors)).not.toContain("beckon_ac_");
});
