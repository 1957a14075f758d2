import { afterAll, describe, expect, test } from "vitest";
import { PACKS } from "../../../../../src/domain/payments/orders/packs.ts";
import { formatDollars } from "../../../../../src/platform/format.ts";
import { documentsOf, markdownPath } from "../../../../../src/surfaces/docs/index.ts";
import { testService } from "../../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const documents = documentsOf(service.config);

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return fetch(`${service.url}${path}`, { headers, method });
}

const typeOf = (response: Response) => response.headers.get("content-type");

describe("content negotiation", () => {
  for (const [accept, form] of [
    [BROWSER, "html"],
    ["text/html", "html"],
    ["*/*", "html"],
    ["text/*", "html"],
    ["application/json", "html"],
    ["text/markdown", "markdown"],
    ["text/markdown, text/html;q=0.9", "markdown"],
    ["text/markdown, */*", "markdown"],
    ["text/html;q=0.4, text/markdown;q=0.5", "markdown"],
    ["text/html, text/markdown;q=0.5", "html"],
    ["text/markdown;q=0, */*", "html"],
    ["Text/Markdown", "markdown"],
  ] as const) {
    test(`200 ${form} for Accept: ${accept}`, async () => {
      const response = await get("/pricing", { Accept: accept });
      expect([response.status, typeOf(response)]).toEqual([200, `text/${form}; charset=utf-8`]);
      expect(response.headers.get("vary")).toMatch(/\bAccept\b/);
      const text = await response.text();
      expect(text.startsWith(form === "html" ? "<!doctype html>" : "# Pricing\n")).toBe(true);
    });
  }
});

test("law: every document is a page with one heading, and also Markdown", async () => {
  for (const { path, title, markdown } of documents) {
    const page = await get(path, { Accept: BROWSER });
    expect([path, page.status, typeOf(page)]).toEqual([path, 200, "text/html; charset=utf-8"]);
    const html = await page.text();
    expect(html.match(/<h1>/g), path).toHaveLength(1);
    expect(html, path).not.toMatch(/<script(?! type="module" src="\/assets\/)|\son\w+=|style="/);
    expect(html, path).toContain(`<link rel="alternate" type="text/markdown" href="${markdownPath(path)}"/>`);
    expect(html, path).toContain(`<title>${path === "/" ? title : `${title} - Beckon`}</title>`);
    expect(page.headers.get("link"), path).toContain(`<${markdownPath(path)}>; rel="alternate"; type="text/markdown"`);
    expect(page.headers.get("access-control-allow-origin"), path).toBeNull();
    expect(page.headers.get("content-security-policy"), path).toMatch(/^default-src 'none'; /);
    const text = await get(markdownPath(path), { Accept: BROWSER });
    expect([path, text.status, typeOf(text)]).toEqual([path, 200, "text/markdown; charset=utf-8"]);
    expect(text.headers.get("access-control-allow-origin"), path).toBe("*");
    expect(await text.text()).toBe(markdown.replaceAll("](/", `](${service.config.siteUrl}/`));
    const asked = await get(path, { Accept: "text/markdown" });
    expect(asked.headers.get("etag"), path).toBe(text.headers.get("etag"));
  }
});

test("304 for a matching ETag; HTML and Markdown have different ones", async () => {
  // Left alone, fetch sends no-cache with the tag.
  const known = (tag: string | null) => ({ "If-None-Match": tag!, "Cache-Control": "max-age=0" });
  const html = (await get("/docs", { Accept: BROWSER })).headers.get("etag");
  expect((await get("/docs", { Accept: BROWSER, ...known(html) })).status).toBe(304);
  expect((await get("/docs", { Accept: "text/markdown", ...known(html) })).status).toBe(200);
  const markdown = (await get("/docs.md")).headers.get("etag");
  expect((await get("/docs.md", known(markdown))).status).toBe(304);
});

test("HEAD is answered without a body, a slash at the end makes no difference, and nothing is written there", async () => {
  const head = await get("/docs/limits", {}, "HEAD");
  expect([head.status, typeOf(head), await head.text()]).toEqual([200, "text/html; charset=utf-8", ""]);
  expect((await get("/docs/")).status).toBe(200);
  expect((await get("/docs/limits", {}, "POST")).status).toBe(404);
});

test("404 for a path that only resembles a document's", async () => {
  for (const path of ["/.md", "/docs/.md", "/docs/limits.md.md", "/docs/nothing.md", "/docs/__proto__"])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test("404: an HTML page for browsers", async () => {
  const html = await (await get("/nothing", { Accept: BROWSER })).text();
  expect(html).toContain("<title>Page not found - Beckon</title>");
});

test("200 /life-of-a-link.svg: an SVG with a policy that allows only its own style", async () => {
  const response = await get("/life-of-a-link.svg");
  expect([response.status, typeOf(response)]).toEqual([200, "image/svg+xml"]);
  expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
  const svg = await response.text();
  for (const day of [0, 4, 14]) expect(svg).toContain(`>Day ${day}</text>`);
  expect(svg).not.toMatch(/<script|href=|url\(/);
});

test("200 /postman.json: readable from any origin", async () => {
  const response = await get("/postman.json");
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  expect(await response.json()).toMatchObject({ info: { name: "Beckon" } });
});

test("law: pages that are the same for everybody link to the dashboard, not to the sign-in page", async () => {
  const html = await (await get("/docs", { Accept: BROWSER })).text();
  expect(html).toContain('<a href="/dashboard">Dashboard</a></nav></div></header>');
  const own = await (await get("/sign-up", { Accept: BROWSER })).text();
  expect(own).toContain('<a href="/sign-in">Sign in</a>');
});

test("law: the front page leads to signing up and in, to prices, to the docs and to auth.md, and names every pack", async () => {
  const html = await (await get("/", { Accept: BROWSER })).text();
  for (const link of ["/sign-up", "/sign-in", "/pricing", "/docs", "/docs/quickstart/claude", "/auth.md"])
    expect(html).toContain(`href="${link}"`);
  for (const { id, amountCents } of PACKS) {
    expect(html).toContain(`href="/dashboard/buy?pack=${id}"`);
    expect(html).toContain(formatDollars(amountCents));
  }
  expect(html).toContain(`claude mcp add --transport http beckon ${service.config.siteUrl}/mcp`);
});

test("law: every document has one address, a description, and a picture of 1200 × 630 for those who share it", async () => {
  const { siteUrl } = service.config;
  for (const { path, title, summary } of documents) {
    const tags = tagsOf(await (await get(path, { Accept: BROWSER })).text());
    const fullTitle = path === "/" ? title : `${title} - Beckon`;
    expect(tags, path).toMatchObject({
      description: summary,
      canonical: siteUrl + path,
      "og:title": fullTitle,
      "og:description": summary,
      "og:url": siteUrl + path,
      "og:image:width": "1200",
      "og:image:height": "630",
      "twitter:card": "summary_large_image",
    });
    expect(tags, path).not.toHaveProperty("robots");
    expect(summary.length, path).toBeLessThanOrEqual(200);
  }
  const address = tagsOf(await (await get("/pricing")).text())["og:image"]!;
  expect(address).toMatch(new RegExp(`^${siteUrl}/assets/share-\\w{12}\\.png$`));
  const image = await get(new URL(address).pathname);
  expect([image.status, typeOf(image), image.headers.get("cache-control")]).toEqual([
    200,
    "image/png",
    "public, max-age=31536000, immutable",
  ]);
});

test("law: a page that is not public is not to be indexed, and has nothing to share", async () => {
  for (const path of ["/sign-in", "/sign-up", "/forgot", "/nothing", "/dashboard/buy?pack=pro"]) {
    const tags = tagsOf(await (await get(path, { Accept: BROWSER })).text());
    expect(tags, path).toMatchObject({ robots: "noindex" });
    expect(
      Object.keys(tags).filter((name) => /^(og|twitter):|^canonical$/.test(name)),
      path,
    ).toEqual([]);
  }
});

/** The values of the `meta` elements of a page and of its canonical link, by their names. */
function tagsOf(html: string): Record<string, string> {
  const metas = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)];
  const canonical = [...html.matchAll(/<link rel="(canonical)" href="([^"]*)"/g)];
  const unescaped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return Object.fromEntries([...metas, ...canonical].map(([, name, value]) => [name!, unescaped(value!)]));
}
