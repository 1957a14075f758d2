import { expect, test } from "vitest";
import { readSitemap } from "../../../../../src/indexing/sitemap/read.ts";
import { SITEMAP_LIMITS } from "../../../../../src/platform/lists/limits.ts";
import { lastModifiedOf } from "../../../../../src/platform/lists/xml/last-modified.ts";

test.each([
  ["2026-01-02", "2026-01-02T00:00:00Z"],
  ["2026-02", "2026-02-01T00:00:00Z"],
  ["2026-01-02T03:04Z", "2026-01-02T03:04:00Z"],
  ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"],
  ["2026-01-02T03:04:05.123456+02:00", "2026-01-02T01:04:05Z"],
  ["2026-01-02T03:04:05-0530", "2026-01-02T08:34:05Z"],
  [" 2026-01-02 03:04:05 ", "2026-01-02T03:04:05Z"],
  ["2026-01-02T24:00:00Z", "2026-01-03T00:00:00Z"],
  ["Fri, 02 Jan 2026 03:04:05 GMT", "2026-01-02T03:04:05Z"],
  ["02 Jan 2026 03:04:05 +0100", "2026-01-02T02:04:05Z"],
])("%s is %s", (written, meant) => {
  expect(lastModifiedOf(written)).toBe(Date.parse(meant) / 1_000);
});

test.each([
  ...["", "now", "2026", "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31", "0001-01-01", "9999-12-31"],
  ...["2026-01-02T25:00:00Z", "2026-01-02T03:60Z", "2026-01-02T03:04+15:00", "2026-1-2", "02/01/2026", "1767323045"],
  ...["2026-01-02T", "2026-01-02Z", "-2026-01-02", "2026-01-02T03:04:05Z extra", "Fri, 99 Foo 2026 03:04:05 GMT"],
])("%j is no date", (written) => {
  expect(lastModifiedOf(written)).toBeNull();
});

async function entriesOf(document: string, isDated = true) {
  const entries: [string, number | null][] = [];
  await readSitemap(Buffer.from(document), (url, at) => entries.push([url, at]), SITEMAP_LIMITS, isDated);
  return entries;
}

const AT = Date.UTC(2026, 0, 2) / 1_000;
const xmlns = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`;

test.each([
  [
    "scanned",
    `<urlset ${xmlns}><url><loc>/1</loc></url><url><loc>/a</loc><lastmod>2026-01-02</lastmod></url></urlset>`,
  ],
  [
    "parsed, since the date comes first",
    `<urlset ${xmlns}><url><loc>/1</loc></url><url><lastmod>2026-01-02</lastmod><loc>/a</loc></url></urlset>`,
  ],
  [
    "parsed, since it has a comment",
    `<urlset ${xmlns}><url><loc>/1</loc><!-- --></url><url><loc>/a</loc><lastmod><![CDATA[2026-01-02]]></lastmod><!-- --></url></urlset>`,
  ],
  [
    "a feed of RSS",
    `<rss><channel><item><link>/1</link></item><item><link>/a</link><pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate></item></channel></rss>`,
  ],
  [
    "a feed of Atom",
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/1"/></entry><entry><link href="/a"/><updated>2026-01-02T00:00:00Z</updated></entry></feed>`,
  ],
])("an entry has the date that it says, and no other: %s", async (_, document) => {
  expect(await entriesOf(document)).toEqual([
    ["/1", null],
    ["/a", AT],
  ]);
  expect((await entriesOf(document, false)).map(([url]) => url)).toEqual(["/1", "/a"]);
});

test("a text that is not the date of the page counts as no date", async () => {
  const video = `<v:video xmlns:v="http://www.google.com/schemas/sitemap-video/1.1"><v:lastmod>2026-01-02</v:lastmod></v:video>`;
  const document = `<urlset ${xmlns}><url><loc>/1</loc></url><url><loc>/a</loc>${video}</url><url><loc>/b</loc>${video}<!-- --></url></urlset>`;
  expect(await entriesOf(document)).toEqual([
    ["/1", null],
    ["/a", null],
    ["/b", null],
  ]);
});
