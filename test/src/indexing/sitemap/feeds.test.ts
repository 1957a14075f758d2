import { expect, test } from "vitest";
import { readSitemap } from "../../../../src/indexing/sitemap/read.ts";
import { SITEMAP_LIMITS } from "../../../../src/platform/lists/limits.ts";

async function read(xml: string, isDated = false): Promise<string[]> {
  const addresses: string[] = [];
  await readSitemap(Buffer.from(xml), (address) => addresses.push(address), SITEMAP_LIMITS, isDated);
  return addresses;
}

const item = (content: string) => `<item>${content}</item>`;
const rss = (...items: string[]) => `<rss version="2.0"><channel>${items.map(item).join("")}</channel></rss>`;
const entry = (...links: string[]) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><entry>${links.map((link) => `<link ${link}/>`).join("")}</entry></feed>`;

test.each([
  [
    "only a guid",
    rss("<guid>https://a.example/1</guid>", '<guid isPermaLink="true"> https://a.example/2 </guid>'),
    ["1", "2"],
  ],
  ["a link before or after its guid", rss("<guid>https://a.example/x</guid><link>https://a.example/1</link>"), ["1"]],
  ["an empty link and a guid", rss("<link/><guid>https://a.example/1</guid>"), ["1"]],
  ["a guid that is no permalink", rss('<guid isPermaLink="false">https://a.example/x</guid>'), []],
  ["a guid that is no address", rss("<guid>tag:a.example,2026:1</guid>", "<guid>17</guid>"), []],
  ["a guid after an item without one", rss("<guid>https://a.example/1</guid>", "<title>t</title>"), ["1"]],
  [
    "rss in its old namespace",
    rss("<link>https://a.example/1</link>").replace("<rss", '<rss xmlns="http://backend.userland.com/rss2"'),
    ["1"],
  ],
  ["atom: the alternate alone", entry('rel="self" href="https://a.example/x"', 'href="https://a.example/1"'), ["1"]],
  [
    "atom: rel as an address",
    entry('rel="http://www.iana.org/assignments/relation/alternate" href="https://a.example/1"'),
    ["1"],
  ],
  ["atom: type in capitals", entry('rel="alternate" type="TEXT/HTML" href="https://a.example/1"'), ["1"]],
  [
    "atom: other relations",
    entry(
      ...["edit", "via", "related", "enclosure", "replies", "next"].map(
        (rel) => `rel="${rel}" href="https://a.example/x"`,
      ),
    ),
    [],
  ],
])("feeds: %s", async (_, xml, names) => {
  const wanted = names.map((name) => `https://a.example/${name}`);
  expect(await read(xml)).toEqual(wanted);
  expect(await read(xml, true)).toEqual(wanted);
});

test("feeds: an item whose link is empty, and that has no permalink, is an entry without an address", async () => {
  const xml = rss("<link/>", '<link/><guid isPermaLink="false">https://a.example/</guid>');
  expect(await read(xml)).toEqual(["", ""]);
});
