import { request as send } from "node:http";
import { afterAll, expect, test } from "vitest";
import type { Executor } from "../../src/contract/executor.ts";
import { BODIES } from "../../src/platform/body-limits.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { parsed, rawClient } from "../support/network/raw-client.ts";
import { testService } from "../support/service/service.ts";
import { stateOf } from "../support/website/account-state.ts";

const service = await testService({ bodyTimeMs: 300 });
const { clock, db, url } = service;
afterAll(() => service.close());

const { id, key } = await service.account();
const credential = `Authorization: Bearer ${key}`;

function post(path: string, ...headers: string[]) {
  const head = [`POST /api/v1${path} HTTP/1.1`, "Host: localhost", "Content-Type: application/json", ...headers];
  return rawClient(url, head);
}

test("401 unauthorized: the caller is identified before the body is read", async () => {
  const client = await post("/projects", `Content-Length: ${BODIES.submission}`, "Expect: 100-continue");
  const text = await client.untilClosed();
  expect(text).not.toContain("100 Continue");
  expect(parsed(text).status).toBe(401);
});

const LIMITS = [
  { path: "/projects", who: "with a credential", headers: [credential], max: BODIES.submission },
  { path: "/checks", who: "with a credential", headers: [credential], max: BODIES.submission },
  { path: "/estimate", who: "with a credential", headers: [credential], max: BODIES.submission },
  { path: "/estimate", who: "without a credential", headers: [], max: BODIES.anonymousEstimate },
  { path: "/projects/prj_0/cancel", who: "with a credential", headers: [credential], max: BODIES.other },
];

for (const { path, who, headers, max } of LIMITS) {
  test(`413 payload_too_large: ${path} ${who}, declared over ${max} bytes; nothing changes`, async () => {
    const before = await stateOf(db, id);
    const client = await post(path, ...headers, `Content-Length: ${max + 1}`);
    const { status, json, headers: answered } = parsed(await client.untilClosed());
    expect([status, json.error.code]).toEqual([413, "payload_too_large"]);
    expect(answered.get("ratelimit-limit")).toBe(headers.length > 0 ? "120" : "60");
    expect(await stateOf(db, id)).toEqual(before);
  });
}

test("500 internal: the error is logged, and the answer reveals nothing of it", async () => {
  const executor: Executor = { run: () => Promise.reject(new Error("secret /etc/passwd")) };
  const broken = await testService({ executor });
  try {
    const { key } = await broken.account();
    const { status, json, text, headers } = await broken.request("GET", "/account", { key });
    expect([status, json.error.code]).toEqual([500, "internal"]);
    expect(text).not.toContain("passwd");
    expect(headers.get("ratelimit-limit")).toBe("120");
    expect(broken.errors).toMatchObject([{ err: { message: "secret /etc/passwd" }, path: "/api/v1/account" }]);
  } finally {
    await broken.close();
  }
});

test("403 forbidden_origin: a foreign origin or host name is refused on every surface", async () => {
  for (const path of ["/api/v1/pricing", "/mcp", "/", "/openapi.json"]) {
    for (const headers of [{ Host: "evil.example" }, { Host: "localhost", Origin: "https://evil.example" }]) {
      const { status, text } = await withHeaders(path, headers);
      expect([path, status, JSON.parse(text).error.code]).toEqual([path, 403, "forbidden_origin"]);
    }
  }
  clock.pass(MINUTE);
  expect((await withHeaders("/api/v1/pricing", { Host: "localhost:1", Origin: "http://localhost:5173" })).status).toBe(
    200,
  );
});

test("204: a preflight from any origin is answered on a public address, without a credential, and is not counted", async () => {
  const open = await testService({ config: { host: "0.0.0.0" } });
  try {
    const headers = { Origin: "https://app.example", "Access-Control-Request-Method": "POST" };
    for (let i = 0; i < 61; i++) {
      const answer = await open.request("OPTIONS", "/projects", { headers });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      for (const name of ["Idempotency-Key", "traceparent", "tracestate", "baggage"])
        expect(answer.headers.get("access-control-allow-headers")).toContain(name);
      expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, OPTIONS");
    }
    const refused = await open.request("GET", "/account", { headers });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-allow-credentials")).toBeNull();
    for (const name of [
      "WWW-Authenticate",
      "RateLimit-Remaining",
      "Retry-After",
      "Idempotent-Replayed",
      "PAYMENT-REQUIRED",
    ]) {
      expect(refused.headers.get("access-control-expose-headers")).toContain(name);
    }
  } finally {
    await open.close();
  }
});

/** fetch does not let a caller set Host. */
function withHeaders(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const req = send(`${url}${path}`, { headers }, async (res) => {
      let text = "";
      for await (const chunk of res) text += chunk;
      resolve({ status: res.statusCode!, text });
    });
    req.on("error", reject).end();
  });
}
