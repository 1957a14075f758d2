import { afterAll, expect, test } from "vitest";
import { ERRORS } from "../../../../src/platform/errors/errors.ts";
import { OAUTH_ERRORS } from "../../../../src/platform/errors/oauth-errors.ts";
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

test("every link on the pages works", async () => {
  const links = new Set<string>();
  for (const path of PAGES) {
    for (const [, link] of (await (await get(path)).text()).matchAll(/href="(\/[^"]*)"/g)) links.add(link!);
  }
  for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  expect(links).toContain("/dashboard");
});

// Where both tables have a code, it means the same, and the API's page explains it.
for (const [code, { title }] of Object.entries({ ...OAUTH_ERRORS, ...ERRORS })) {
  test(`200 /docs/errors/${code}: the page that its refusals lead to`, async () => {
    const response = await get(`/docs/errors/${code}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(`<h1>${title}</h1>`);
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

for (const path of ["", "/api/v1", "/mcp", "/a2a"]) {
  test(`200 protected resource metadata of "${path}" (RFC 9728)`, async () => {
    const response = await get(`/.well-known/oauth-protected-resource${path}`);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toMatchObject({
      resource: `http://beckon.test${path}`,
      scopes_supported: ["read", "index", "purchase"],
      bearer_methods_supported: ["header"],
    });
  });
}

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
