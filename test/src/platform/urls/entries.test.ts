import { describe, expect, test } from "vitest";
import { countEntries } from "../../../../src/platform/urls/count.ts";
import { entriesOf, formatOf } from "../../../../src/platform/urls/entries.ts";
import { parseUrlList } from "../../../../src/platform/urls/urls.ts";
import { HOSTILE_LINES } from "../../../support/website/hostile-lines.ts";

const read = (...given: Parameters<typeof entriesOf>) => entriesOf(...given).map(({ line, text }) => `${line} ${text}`);

describe("lines", () => {
  test.each([
    [
      "empty lines and spaces are no entries",
      " \n\n  https://a.example/ \r\nb\rc\n",
      ["3 https://a.example/", "4 b", "5 c"],
    ],
    ["a byte order mark is no part of the first entry", "\uFEFFhttps://a.example/", ["1 https://a.example/"]],
    ["a comma may be part of a URL", "https://a.example/x,y;z", ["1 https://a.example/x,y;z"]],
    [
      "of rows from a spreadsheet, the first URL counts",
      "One\thttps://a.example/\t3\nTwo\t4",
      ["1 https://a.example/", "2 Two\t4"],
    ],
    [
      "a sitemap is recognised",
      '<?xml version="1.0"?>\n<urlset>\n<loc>https://a.example/</loc>',
      ["3 https://a.example/"],
    ],
  ])("%s", (_, text, wanted) => expect(read(text)).toEqual(wanted));
});

describe("a table", () => {
  test.each([
    ["a heading is no entry", "name,url\na,https://a.example/\n", ["2 https://a.example/"]],
    ["a first row with a URL is no heading", "https://a.example/,a\n", ["1 https://a.example/"]],
    [
      "a row without a URL is an entry that is none",
      "url\nhttps://a.example/\nnothing,here\n",
      ["2 https://a.example/", "3 nothing,here"],
    ],
    [
      "cells may be quoted, and separated by semicolons",
      'a;url\n"x;y";"https://a.example/;1"',
      ["2 https://a.example/;1"],
    ],
  ])("%s", (_, text, wanted) => expect(read(text, "csv")).toEqual(wanted));
});

test("a sitemap: the addresses of its pages, unescaped, without the addresses of pictures", () => {
  const xml = `<urlset>
<url><loc> https://a.example/?x=1&amp;y=2 </loc><image:loc>https://a.example/picture</image:loc></url>
<url><loc><![CDATA[https://b.example/]]></loc></url></urlset>`;
  expect(read(xml, "xml")).toEqual(["2 https://a.example/?x=1&y=2", "3 https://b.example/"]);
});

test("the format follows from the name of the file", () => {
  expect(["a.txt", "a.CSV", "a.b.xml", "csv", ""].map(formatOf)).toEqual(["lines", "csv", "xml", "lines", "lines"]);
});

test("law: a list is counted as the operations count it, and invalid lines are named", () => {
  const entries = entriesOf(HOSTILE_LINES.join("\n"));
  const { accepted, duplicates, invalid } = parseUrlList(entries.map(({ text }) => text));
  const count = countEntries(entries);
  expect(count).toMatchObject({ urls: accepted.length, duplicates, invalid });
  expect(count.invalidLines).toHaveLength(10);
  expect(invalid).toBeGreaterThan(10);
  for (const { line, text } of count.invalidLines) expect(HOSTILE_LINES[line - 1]!.trim().startsWith(text)).toBe(true);
});
