import { afterAll, expect, test } from "vitest";
import { rawClient } from "../../../support/network/raw-client.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const { host } = new URL(service.url);

/** The answer to a request whose head is written as it is. */
async function answerTo(...head: string[]): Promise<{ status: number; text: string }> {
  const client = await rawClient(service.url, [...head, "Connection: close"]);
  const text = await client.untilClosed();
  return { status: Number(text.split(" ")[1]), text };
}

test.each(["/api/v1/pricing", "/mcp", "/a2a", "/", "/oauth/token", "/healthz"])(
  "400 %s: two Host headers, even if they are equal (RFC 9112 section 3.2)",
  async (path) => {
    for (const other of [host, "evil.example"])
      expect((await answerTo(`GET ${path} HTTP/1.1`, `Host: ${host}`, `Host: ${other}`)).status).toBe(400);
  },
);

test.each([
  ["/api/v1/pricing", '"object":"pricing"'],
  ["/.well-known/oauth-authorization-server", `"issuer":"${service.url}"`],
  ["", "<!doctype html>"],
  ["?utm_source=x", "<!doctype html>"],
])("200: the absolute form of our own address, %j; its host stands in place of the Host header", async (path, part) => {
  const { status, text } = await answerTo(
    `GET ${service.url}${path} HTTP/1.1`,
    "Host: evil.example",
    "Accept: text/html",
  );
  expect(status).toBe(200);
  expect(text).toContain(part);
});

test("404: the absolute form of another server's address is not fetched, nor answered with ours", async () => {
  const { status, text } = await answerTo("GET http://other.example/api/v1/pricing HTTP/1.1", `Host: ${host}`);
  expect(status).toBe(404);
  expect(text).not.toContain("pricing");
});
