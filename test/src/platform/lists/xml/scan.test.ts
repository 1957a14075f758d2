import { expect, test } from "vitest";
import { scanEntry } from "../../../../../src/platform/lists/xml/scan.ts";
import { cpuClock } from "../../../../support/checks/cpu-time.ts";

const TAKEN: readonly (readonly [why: string, entry: string, address: string, elements: number])[] = [
  ["an address alone", "<url><loc>/a</loc></url>", "/a", 2],
  ["none", "<url><loc></loc></url>", "", 2],
  ["on lines of its own", "\r\n <url>\n\t<loc>\n/a\n</loc>\n</url>", "\n/a\n", 2],
  ["an ampersand", "<url><loc>/a?b&amp;c&amp;d</loc></url>", "/a?b&c&d", 2],
  ["CDATA", "<url><loc><![CDATA[/a?b&c&amp;d]]]></loc></url>", "/a?b&c&amp;d]", 2],
  ["the usual", "<url><loc>/a</loc><lastmod>2026</lastmod> <priority>1</priority></url>", "/a", 4],
  ["a language", '<url><loc>/a</loc><xhtml:link rel="a" hreflang="b" href="/?c&amp;d" /></url>', "/a", 3],
  ["an image", "<url><loc>/a</loc><i:image> <i:loc>/b</i:loc> <i:title>c</i:title></i:image></url>", "/a", 5],
  ["an image, CDATA", "<url><loc>/a</loc><i:i><i:t><![CDATA[b & c]]></i:t></i:i></url>", "/a", 4],
];

test.each(TAKEN)("read by the scanner: %s", (_, entry, address, elements) => {
  expect(scanEntry(`${entry}<url>`, 0)).toEqual({ end: entry.length, address, elements, modified: null });
  expect(scanEntry(`</url>${entry}`, 6)).toEqual({ end: 6 + entry.length, address, elements, modified: null });
});

test.each([
  ["nothing", ""],
  ["an entry cut off", "<url><loc>/a</loc></url"],
  ["something before it", "<!-- --><url><loc>/a</loc></url>"],
  ["text before it", "a<url><loc>/a</loc></url>"],
  ["an attribute", "<url a='b'><loc>/a</loc></url>"],
  ["no address", "<url><lastmod>2026</lastmod></url>"],
  ["two of them", "<url><loc>/a</loc><loc>/b</loc></url>"],
  ["another by a prefix", "<url><loc>/a</loc><s:loc>/b</s:loc></url>"],
  ["another entity", "<url><loc>/a&lt;</loc></url>"],
  ["a carriage return in the address", "<url><loc>/a\r</loc></url>"],
  ["a character that XML forbids", "<url><loc>/a</loc><x>\u0001</x></url>"],
  ["the end of CDATA", "<url><loc>/a]]></loc></url>"],
  ["a comment", "<url><loc>/a</loc><!-- --></url>"],
  ["an attribute twice", '<url><loc>/a</loc><x a="1" b="2" a="3"/></url>'],
  ["single quotes", "<url><loc>/a</loc><x a='1'/></url>"],
  ["tags that do not match", "<url><loc>/a</loc><x>b</y></url>"],
  ["what is three deep", "<url><loc>/a</loc><x><y><z>b</z></y></x></url>"],
])("left to the parser: %s", (_, text) => {
  expect(scanEntry(text, 0)).toBeNull();
});

test("a text that does not match costs no more time than reading it", () => {
  const images = "<i:image><i:loc>/b</i:loc></i:image>".repeat(2_000);
  const text = `<url><loc>${"&amp;".repeat(2_000)}</loc>${images}<!-- --></url>`;
  const cpuMs = cpuClock();
  for (let i = 0; i < 20; i++) expect(scanEntry(text, 0)).toBeNull();
  // 1.6 MB; a pattern that tries everything would take hours.
  expect(cpuMs()).toBeLessThan(5_000);
});
