import { expect, test } from "vitest";
import { EVERYTHING } from "../../../../scripts/snapshots.ts";
import { robotsRules } from "../../../../src/indexing/preflight/robots-rules.ts";
import { readSitemap } from "../../../../src/indexing/sitemap/read.ts";
import { robotsText, sitemapXml } from "../../../../src/surfaces/discovery/crawlers.ts";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";

const { siteUrl } = EVERYTHING;
const documents = documentsOf(EVERYTHING);
const robots = robotsRules(robotsText(EVERYTHING));

test("our sitemap reader finds every public document in our sitemap, and nothing else", async () => {
  const found: string[] = [];
  const xml = Buffer.from(sitemapXml(EVERYTHING, documents));
  const { format } = await readSitemap(xml, (address) => void found.push(address));
  expect(format).toBe("urlset");
  expect(found.length).toBeGreaterThan(60);
  expect(found).toEqual(documents.map(({ path }) => siteUrl + path));
});

test("addresses are escaped", () => {
  const odd = [{ path: "/a?b=1&c=<d>", title: "", summary: "", markdown: "" }];
  expect(sitemapXml(EVERYTHING, odd)).toContain(`<loc>${siteUrl}/a?b=1&amp;c=&lt;d></loc>`);
});

test("our robots.txt allows what the sitemap lists, and names the sitemap", () => {
  expect(documents.filter(({ path }) => !robots.allows(path))).toEqual([]);
  expect(robotsText(EVERYTHING)).toContain(`\nSitemap: ${siteUrl}/sitemap.xml\n`);
});

test.each([
  "/dashboard/projects/prj_1",
  "/api/v1/pricing",
  "/oauth/authorize?x=1",
  "/claim?attempt=1",
  "/sandbox/pay/1",
])("our robots.txt disallows %s", (path) => {
  expect(robots.allows(path)).toBe(false);
});
