import { afterAll, expect, onTestFinished, test } from "vitest";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { version } from "../../../../src/platform/version.ts";
import { botDocument } from "../../../../src/surfaces/docs/bot.ts";
import { renderMarkdown } from "../../../../src/surfaces/website/public/markdown.tsx";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());

function get(path: string, accept = "text/html"): Promise<Response> {
  return fetch(`${service.url}${path}`, { headers: { Accept: accept } });
}

const PAGES = [
  "/",
  "/pricing",
  "/bot",
  "/docs",
  "/docs/errors",
  "/docs/operations/submit_urls",
  "/auth",
  "/sign-in",
  "/sign-up",
  "/forgot",
];

for (const path of PAGES) {
  test(`200 ${path}: a page under a strict policy`, async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-/,
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("x-powered-by")).toBeNull();
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const text = await response.text();
    expect(text).toContain("width=device-width");
    expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
  });
}

test("404 not_found: HTML for browsers, JSON for programs", async () => {
  for (const path of ["/nothing", "/docs/errors/nothing", "/docs/errors/constructor", "/docs/errors/%E0%A4%A"]) {
    const page = await get(path);
    expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 404, "text/html; charset=utf-8"]);
    // Who accepts anything is a program, as are all that ask for what a page is not.
    for (const accept of ["application/json", "*/*", "text/markdown", "text/event-stream"]) {
      const data = await get(path, accept);
      expect(data.status).toBe(404);
      expect(await data.json()).toMatchObject({ error: { code: "not_found" } });
    }
  }
});

test("200 /healthz: the database answers", async () => {
  const response = await get("/healthz");
  expect(await response.json()).toEqual({ status: "ok" });
});

test("HTML within Markdown is escaped", () => {
  expect(renderMarkdown("<b>Send</b> `<b>` [now](javascript:alert)")).toBe(
    "<p>&lt;b&gt;Send&lt;/b&gt; <code>&lt;b&gt;</code> [now](javascript:alert)</p>\n",
  );
});

test("200 /bot: shows our User-Agent and the contact", async () => {
  const text = await (await get("/bot")).text();
  expect(text).toContain(`Beckon/${version} (+http://beckon.test/bot)`);
  expect(text).toContain("the operator of <code>http://beckon.test</code>");
  expect(text).toContain("User-agent: Googlebot");
  const { markdown } = botDocument({ ...service.config, contact: "<bot@beckon.test>" });
  const named = renderMarkdown(markdown);
  expect(named).toContain(`Beckon/${version} (+&lt;bot@beckon.test&gt;)`);
  expect(named).toContain("write to\n<code>&lt;bot@beckon.test&gt;</code>");
});

test("429 rate_limited: an address that asks for more pages than anybody reads, until the next minute", async () => {
  const at = await testService();
  onTestFinished(() => at.close());
  const status = async (path: string) => (await fetch(`${at.url}${path}`)).status;
  const { count } = LIMITS.pages_per_minute;
  for (let asked = 0; asked < count; asked += 100)
    await Promise.all(Array.from({ length: 100 }, () => status("/robots.txt")));
  const paths = [
    "/docs/errors",
    "/llms.txt",
    "/.well-known/agent-card.json",
    "/.well-known/oauth-authorization-server",
  ];
  expect(await Promise.all(paths.map(status))).toEqual([429, 429, 429, 429]);
  expect(await status("/healthz")).toBe(200);
  at.clock.pass(60_000);
  expect(await status("/docs/errors")).toBe(200);
});
