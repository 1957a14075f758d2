import MiniSearch from "minisearch";
import { afterAll, describe, expect, test } from "vitest";
import { ERRORS } from "../../../../../src/platform/errors/errors.ts";
import { documentsOf } from "../../../../../src/surfaces/docs/index.ts";
import { type DocsIndex, INDEX_OPTIONS, searchDocs } from "../../../../../src/surfaces/website/browser/docs-index.ts";
import { SCRIPTS, script } from "../../../../../src/surfaces/website/shell/assets.ts";
import { operations } from "../../../../../tools/index.ts";
import { testService } from "../../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const documents = documentsOf(service.config);

const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

function get(path: string, headers: Record<string, string> = BROWSER): Promise<Response> {
  return fetch(`${service.url}${path}`, { headers });
}

/** The index as a browser reads it. */
const index: DocsIndex = MiniSearch.loadJSON(await (await get("/docs/search.json")).text(), INDEX_OPTIONS);
const pathsOf = (query: string) => searchDocs(index, query, 8).map(({ path }) => path);

describe("the index", () => {
  test.each(operations.filter(({ name }) => documents.some(({ title }) => title === name)).map(({ name }) => name))(
    "the name of an operation leads to its page first: %s",
    (name) => {
      expect(pathsOf(name)[0]).toBe(`/docs/operations/${name}`);
    },
  );

  test.each(Object.keys(ERRORS))("the code of an error leads to its page first: %s", (code) => {
    expect(pathsOf(code)[0]).toBe(`/docs/errors/${code}`);
  });

  test.each([
    ["TRUST_PROXY", "/docs/self-hosting#settings"],
    ["doctor", "/docs/self-hosting#operating"],
    ["pg_dump", "/docs/operating#backing-up-postgresql"],
    ["moving to postgresql", "/docs/operating#moving-to-postgresql"],
    ["drip", "/docs/concepts#drip"],
    ["skip_already_submitted", "/docs/operations/submit_sitemap#input"],
    ["beckon_steps_oldest_due_seconds", "/docs/self-hosting#metrics-logs-and-traces"],
    ["insufficent credts", "/docs/errors/insufficient_credits"],
    ["sumbit urls", "/docs/operations/submit_urls"],
    ["python", "/docs/operations/get_account#example"],
  ])("a setting, a command, a heading, a field or a word with a mistake is found: %s", (query, path) => {
    expect(pathsOf(query)).toContain(path);
  });

  test("words that no page has together find the pages that have some of them", () => {
    expect(pathsOf("postgresql zebra")).toContain("/docs/operating#moving-to-postgresql");
    expect(pathsOf("zebra")).toEqual([]);
  });

  test("law: every result leads to a page, and to an element of it", async () => {
    const stored = (JSON.parse(JSON.stringify(index)) as { storedFields: Record<string, { path: string }> })
      .storedFields;
    const pages = new Map<string, string>();
    for (const { path } of Object.values(stored)) {
      const [page, anchor] = path.split("#") as [string, string?];
      if (!pages.has(page)) pages.set(page, await (await get(page)).text());
      if (anchor) expect(pages.get(page), path).toContain(`id="${anchor}"`);
      else expect(documents.map((one) => one.path)).toContain(path);
    }
    expect(pages.size).toBeGreaterThan(60);
  });

  test("304: a browser that has the index gets it again only if it has changed", async () => {
    const first = await get("/docs/search.json");
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    const headers = { "If-None-Match": first.headers.get("etag")!, "Cache-Control": "max-age=0" };
    expect((await get("/docs/search.json", headers)).status).toBe(304);
  });
});

describe("the page of results, for those without a script", () => {
  test("200: lists the pages that the script would list", async () => {
    const response = await get("/docs/search?q=cancel+links");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain("form-action 'self'");
    const html = await response.text();
    const listed = /<ul class="results">(.*?)<\/ul>/s.exec(html)![1]!;
    const paths = [...listed.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    expect(paths.slice(0, 8)).toEqual(pathsOf("cancel links"));
    expect(html).toContain('name="q" value="cancel links"');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  test.each([
    ["/docs/search", "Type a word"],
    ["/docs/search?q=zebra", "Nothing is found"],
    [`/docs/search?q=${encodeURIComponent("<b>&\u202e")}`, "Search: &lt;b>&amp;\u202e"],
    [`/docs/search?q=${"a".repeat(5_000)}`, "a".repeat(200)],
    ["/docs/search?q=a&q=b", "Search: a,b"],
  ])("200: any query is answered, and shown as text: %s", async (path, shown) => {
    const response = await get(path);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain(shown);
    expect(html).not.toMatch(/<b>|a{201}/);
  });
});

describe("a page of the docs that does not exist", () => {
  test.each([
    ["/docs/operations/submit_url", "/docs/operations/submit_urls"],
    ["/docs/operations/list-links", "/docs/operations/list_links"],
    ["/docs/errors/insufficent_credit", "/docs/errors/insufficient_credits"],
    ["/docs/quickstart/python", "/docs/quickstart"],
    ["/docs/self-hosting/settings", "/docs/self-hosting"],
    ["/docs/operatng.md", "/docs/operating"],
  ])("404: %s suggests %s", async (path, suggested) => {
    const response = await get(path);
    const html = await response.text();
    expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(html).toContain("<h1>There is no page at this address.</h1>");
    expect(/<ul class="results">(.*?)<\/ul>/s.exec(html)?.[1]).toContain(`href="${suggested}"`);
  });

  test("404: suggests nothing where nothing is similar", async () => {
    const html = await (await get("/docs/xyzzy/qwfpgj")).text();
    expect(html).toContain("There is no page at this address.");
    expect(html).not.toContain('class="results"');
  });

  test("404 not_found: programs get JSON", async () => {
    const response = await get("/docs/operations/submit_url", { Accept: "*/*" });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
  });
});

test("the navigation marks the page that is open, and the list of errors on the page of an error", async () => {
  const currentOf = async (path: string) => (await (await get(path)).text()).match(/href="[^"]+" aria-current="\w+"/g);
  expect(await currentOf("/docs/limits")).toEqual(['href="/docs/limits" aria-current="page"']);
  expect(await currentOf("/docs/errors/internal")).toEqual(['href="/docs/errors" aria-current="true"']);
});

test("law: only pages of the docs load the script of the docs", async () => {
  expect(SCRIPTS).toContain("docs");
  const { path } = script("docs");
  expect(await (await get("/docs")).text()).toContain(path);
  expect(await (await get("/pricing")).text()).not.toContain(path);
});
