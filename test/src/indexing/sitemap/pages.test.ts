import { afterAll, expect, test } from "vitest";
import { PAGE_LIMITS, readPages, refuseSitemapsAsPages } from "../../../../src/indexing/sitemap/pages.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { sitemapIndex, sitemapServer, urlset } from "../../../support/network/sitemap-server.ts";

const site = await sitemapServer();
const http = createHttpClient(readConfig({ FETCH_ALLOW_CIDRS: "127.0.0.0/8", FETCH_ALLOW_PORTS: String(site.port) }));
afterAll(async () => {
  await http.close();
  await site.close();
});

const pages = (count: number) => Array.from({ length: count }, (_, i) => `https://example.com/${i}`);

test("URLs of all documents are normalised and listed once, in order of their first occurrence, and every entry is counted", async () => {
  const invalid = Array.from({ length: 12 }, (_, i) => `/relative/${"x".repeat(300)}/${i}`);
  const a = site.serve("/a.xml", urlset(["HTTPS://Example.com:443/b#top", "https://example.com/a", "", ...invalid]));
  const b = site.serve(
    "/b.txt",
    ["https://example.com/b", "https://example.com/c", "https://example.com/c"].join("\n"),
  );
  const url = site.serve("/index.xml", sitemapIndex([a, b]));
  const read = await readPages({ http }, url);
  expect(read).toMatchObject({ url, format: "index", sitemapsRead: 2, cutShort: false, found: 18 });
  expect(read.accepted).toEqual(["https://example.com/b", "https://example.com/a", "https://example.com/c"]);
  expect([read.duplicates, read.invalid]).toEqual([2, 13]);
  expect(read.invalidEntries).toEqual([
    { position: 2, length: 0, reason: "empty" },
    ...invalid.slice(0, 9).map((line, i) => ({ position: 3 + i, length: line.length, reason: "not_absolute" })),
  ]);
});

test("at most so many URLs are held: the rest is not counted, and reading ends early", async () => {
  const url = site.serve("/many.xml", urlset([...pages(5), ...pages(20)]));
  const read = await readPages({ http }, url, { ...PAGE_LIMITS, urls: 10 });
  expect(read).toMatchObject({ accepted: pages(10), found: 15, duplicates: 5, cutShort: true });
  const all = await readPages({ http }, url, { ...PAGE_LIMITS, urls: 20 });
  expect(all).toMatchObject({ accepted: pages(20), found: 25, duplicates: 5, cutShort: false });
});

test("at most so many characters are held", async () => {
  const url = site.serve("/long.xml", urlset(pages(10)));
  const read = await readPages({ http }, url, { ...PAGE_LIMITS, characters: 60 });
  expect(read).toMatchObject({ accepted: pages(3), found: 3, cutShort: true });
});

const SITEMAPS = ["https://example.com/a.xml", "https://example.com/b.XML.gz?v=1", "https://example.com/c.xml#top"];

test.each([
  ["no page", [], SITEMAPS, "3 of the URLs end in .xml, as sitemaps do.", true],
  ["fewer pages than sitemaps", pages(2), SITEMAPS, "3 of the URLs end in .xml, as sitemaps do.", true],
  ["as many pages", pages(3), SITEMAPS, "3 of the URLs end in .xml, as sitemaps do.", false],
  [
    "one feed among pages",
    pages(9),
    ["https://example.com/feed.xml"],
    "1 of the URLs end in .xml, as sitemaps do.",
    false,
  ],
  [
    "addresses that only look so",
    ["https://a.xml/", "https://example.com/.xml", "https://example.com/xml", "https://example.com/?feed=a.xml"],
    ["https://example.com/a.xml/", "https://example.com/a.xmlx"],
    undefined,
    false,
  ],
] as const)(
  "a urlset of sitemaps is told, and is not submitted if most are: %s",
  async (_, some, more, words, isRefused) => {
    const read = await readPages({ http }, site.serve("/mixed.xml", urlset([...some, ...more])));
    expect(read.warnings).toEqual(words === undefined ? [] : [expect.stringContaining(words)]);
    const refuse = () => refuseSitemapsAsPages(read);
    if (isRefused) expect(refuse).toThrow("Most URLs of the sitemap end in .xml, as sitemaps do.");
    else expect(refuse).not.toThrow();
  },
);

test("of an index, each sitemap that failed is a warning, up to ten", async () => {
  const missing = Array.from({ length: 12 }, (_, i) => `/no-${i}.xml`);
  const index = site.serve("/index.xml", sitemapIndex([...missing, site.serve("/a.xml", urlset(pages(1)))]));
  const { warnings } = await readPages({ http }, index);
  expect(warnings).toHaveLength(11);
  expect([warnings[0], warnings[10]]).toEqual([
    "Entry 1 of the index is no address: it does not begin with a scheme.",
    "2 more entries of the index could not be read.",
  ]);
});

const latin1 = Buffer.from("https://example.com/é\nhttps://example.com/b\n", "latin1");

test.each([
  [
    "the charset of its Content-Type",
    "text/plain; charset=ISO-8859-1",
    ["https://example.com/%C3%A9", "https://example.com/b"],
    [],
  ],
  [
    "UTF-8, and what is not is invalid",
    "text/plain",
    ["https://example.com/b"],
    [{ position: 0, length: 21, reason: "not_decodable" }],
  ],
])("a document is decoded by %s, by itself and in an index", async (_, type, accepted, invalidEntries) => {
  const url = site.serve("/latin.txt", latin1, { "Content-Type": type });
  expect(await readPages({ http }, url)).toMatchObject({ accepted, invalidEntries });
  const index = site.serve("/latin.xml", sitemapIndex([url]));
  expect(await readPages({ http }, index)).toMatchObject({ accepted, invalidEntries });
});

test("a table at an address: the column with the URLs, and a row without one is invalid", async () => {
  const url = site.serve(
    "/table.csv",
    "Clicks,URL,Last crawled\n3,https://example.com/a.html,2026-11-02\n4,,2026-11-03\n",
  );
  expect(await readPages({ http }, url)).toMatchObject({
    ...{ format: "text", accepted: ["https://example.com/a.html"], found: 2 },
    invalidEntries: [{ position: 1, reason: "empty_cell" }],
  });
});
