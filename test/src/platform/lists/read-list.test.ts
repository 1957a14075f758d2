import Papa from "papaparse";
import { describe, expect, test, vi } from "vitest";
import { UnreadableList } from "../../../../src/platform/lists/limits.ts";
import type { List } from "../../../../src/platform/lists/list.ts";
import { linesOf, withList, withSchemes } from "../../../../src/platform/lists/list-lines.ts";
import { readingList, readList, readListFile, readListWithPauses } from "../../../../src/platform/lists/read-list.ts";
import { atOnce, type Steps } from "../../../../src/platform/lists/steps.ts";
import { countOf } from "../../../../src/platform/lists/words.ts";
import { cpuClock } from "../../../support/checks/cpu-time.ts";

const A = "https://a.example/";
const SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

describe("read: each URL, and nothing else", () => {
  test.each<[what: string, text: string, urls: string[]]>([
    ["a decimal entity", `<urlset ${SITEMAP}><url><loc>${A}?a=1&#038;b=2</loc></url></urlset>`, [`${A}?a=1&b=2`]],
    [
      "an entry within a comment",
      `<urlset ${SITEMAP}><!-- <url><loc>${A}no</loc></url> --><url><loc>${A}1</loc></url></urlset>`,
      [`${A}1`],
    ],
    ["a space in the tag", `<urlset ${SITEMAP}><url><loc >${A}1</loc ></url></urlset>`, [`${A}1`]],
    [
      "prefixed names",
      `<s:urlset ${SITEMAP.replace("xmlns", "xmlns:s")}><s:url><s:loc>${A}1</s:loc></s:url></s:urlset>`,
      [`${A}1`],
    ],
    [
      "a feed",
      `<rss version="2.0"><channel><link>${A}</link><item><link>${A}1</link></item></channel></rss>`,
      [`${A}1`],
    ],
    ["a table of a search console", `URL,Last crawled\n${A}a.html,2026-11-02\n`, [`${A}a.html`]],
    ["a table without a heading", `${A}a.html,2026-11-02\n${A}b.html,2026-11-03`, [`${A}a.html`, `${A}b.html`]],
    ["a column of numbers", `${A}a;12\n${A}b;7`, [`${A}a`, `${A}b`]],
    ["commas within URLs", `${A}a,12\n${A}a,7\n${A}x,y;z`, [`${A}a,12`, `${A}a,7`, `${A}x,y;z`]],
    ["URLs that differ after the comma", `${A}a,1\n${A}a,2`, [`${A}a,1`, `${A}a,2`]],
    ["URLs on one line", `${A}1, ${A}2; ${A}3,${A}4 ${A}5`, [1, 2, 3, 4, 5].map((n) => `${A}${n}`)],
    ["a URL and its title", `${A}1\tOne\n${A}2\tTwo`, [`${A}1`, `${A}2`]],
    ["a title and its URL", `One\t${A}1\nTwo\t${A}2`, [`${A}1`, `${A}2`]],
    ["a line that says the delimiter", `sep=;\nURL;Clicks\n${A}1,5;3\n`, [`${A}1,5`]],
    ["cells of several lines", `Title,URL\n"two\nlines",${A}1\n`, [`${A}1`]],
    ["a quotation mark that is not closed", `Title,URL\n"12 inch,${A}1\nx,${A}2\n`, [`${A}1`, `${A}2`]],
    ["text after a quotation mark", `Title,URL\n"a"b,${A}1\n"c",${A}2\n`, [`${A}1`, `${A}2`]],
    ["a Markdown list", `- [Home](${A})\n* <${A}1>\n1. ${A}2`, [A, `${A}1`, `${A}2`]],
    ["a heading of one column", `URL\n${A}1`, [`${A}1`]],
    ["comments", `# a comment\n${A}1\n#${A}2`, [`${A}1`]],
    ["marks that nobody sees", `\ufeff\u200b${A}1\u200b \n\u2060${A}2\u00a0\u200e`, [`${A}1`, `${A}2`]],
    ["an address in angle brackets, which is no XML", `<${A}1>`, [`${A}1`]],
  ])("%s", (_, text, urls) => {
    expect(readList(text)).toMatchObject({ urls, refused: [], offered: [] });
  });
});

describe("refused with the line and the reason, and not taken", () => {
  test.each<[what: string, text: string, line: number, reason: string]>([
    ["no address", `${A}\nnothing`, 2, "not_absolute"],
    ["an address with text after it", `${A}1 A title`, 1, "space_inside"],
    ["a relative address of a sitemap", `<urlset ${SITEMAP}>\n<url>\n<loc>/a</loc></url></urlset>`, 3, "not_absolute"],
    ["a host of this machine", `${A}\nhttp://localhost:3000/a`, 2, "private_host"],
    ["a bare host", "http://wiki/a", 1, "bare_host"],
    ["a private network", "http://192.168.0.1/", 1, "private_host"],
    ["a number that is a private network", "http://0x7f.1/", 1, "private_host"],
    ["the loopback of IPv6", "http://[::1]/", 1, "private_host"],
    ["an address of IPv4 in IPv6", "http://[::ffff:10.0.0.1]/", 1, "private_host"],
    ["a name of a local network", "http://printer.local./", 1, "private_host"],
    ["what was decoded wrongly before", `${A}\n${A}caf\ufffd`, 2, "not_decodable"],
    ["a row whose URL has the delimiter", `URL,Clicks\n${A}1,2\n${A}a,b,3\n`, 3, "more_cells"],
    ["a row without a URL", `URL,Clicks\n${A}1,2\n,3\n`, 3, "empty_cell"],
    ["a row after a cell of several lines", `Title,URL\n"two\nlines",${A}1\nx,nothing\n`, 4, "not_absolute"],
    ["a long line", `${A}\n${A}${"x".repeat(4_096)}`, 2, "item_too_long"],
    ["a user name", "https://user@a.example/", 1, "user_or_password"],
  ])("%s", (_, text, line, reason) => {
    expect(readList(text).refused.map((one) => [one.line, one.reason])).toEqual([[line, reason]]);
  });
});

test("a public address is no private host", () => {
  const urls = ["https://8.8.8.8/", "http://[2606:4700::1]/", "https://172.32.0.1/", "https://localhost.example/"];
  expect(readList(urls.join("\n"))).toMatchObject({ urls, refused: [] });
});

describe("the column with the URLs is found by what is in it, and said", () => {
  test.each<[what: string, text: string, column: object | null]>([
    ["the first", `Top pages,Clicks\n${A},1`, { name: "Top pages", number: 1, of: 2 }],
    ["another", `Page path\tSeite\tViews\n/a\t${A}\t1`, { name: "Seite", number: 2, of: 3 }],
    ["the fuller of two", `Canonical;Address\n;${A}1\n${A}c;${A}2`, { name: "Address", number: 2, of: 2 }],
    ["the better name of two", `Referrer;URL\n${A}c;${A}2`, { name: "URL", number: 2, of: 2 }],
    ["of a table without a heading", `2026-11-02,${A}1\n2026-11-03,${A}2`, { name: null, number: 2, of: 2 }],
    ["none", `${A}1\n${A}2`, null],
  ])("%s", (_, text, column) => expect(readList(text).column).toEqual(column));
});

describe("an address without a scheme is offered with https, and not taken", () => {
  test.each([
    ["www.example.com/a", "https://www.example.com/a"],
    ["- example.com/b", "https://example.com/b"],
    ["//example.com/c", "https://example.com/c"],
    ["example.com", "https://example.com"],
    ["www.example.com:8080/?x", "https://www.example.com:8080/?x"],
    ["Domain,Clicks\nwww.example.com/a,1", "https://www.example.com/a"],
  ])("%j", (text, url) => {
    expect(readList(text)).toMatchObject({ urls: [], refused: [], offered: [{ url }] });
  });

  test.each([["index.html"], ["no url"], ["ftp://example.com/"], ["user@example.com"], ["printer.local/x"], ["a.b"]])(
    "not offered: %j",
    (text) => expect(readList(text)).toMatchObject({ urls: [], offered: [] }),
  );

  test("taken with it, where it stands in the text", () => {
    const text = `Domain,Clicks\nwww.example.com/a,1\n${A}b,2\r\nexample.com/$&,3`;
    const given = atOnce(withSchemes(text, readList(text).offered));
    expect(readList(given)).toMatchObject({
      urls: ["https://www.example.com/a", `${A}b`, "https://example.com/$&"],
      offered: [],
    });
  });

  test("each is taken once, however many a line has, and whichever are the same", () => {
    const text = "www.a.example www.b.example, www.a.example\r\rwww.a.example";
    const [a, b] = ["https://www.a.example", "https://www.b.example"];
    expect(atOnce(withSchemes(text, readList(text).offered))).toBe(`${a} ${b}, ${a}\r\r${a}`);
  });
});

test("a typed text that cannot be read stays above the lines of a file", () => {
  expect(atOnce(withList("<nothing", readList(`${A}1`)))).toBe(`<nothing\n${A}1`);
});

test("an index lists sitemaps and no page: none of them is an entry", () => {
  const index = `<sitemapindex ${SITEMAP}><sitemap><loc>${A}1.xml</loc></sitemap><sitemap><loc>${A}2.xml</loc></sitemap></sitemapindex>`;
  expect(readList(index)).toMatchObject({ format: "index", urls: [], refused: [], duplicates: 0, sitemaps: 2 });
});

test.each([
  [`<urlset ${SITEMAP}><url><loc>${A}1.xml</loc></url><url><loc>${A}2.xml.gz</loc></url></urlset>`, true],
  [`${A}1.xml\n${A}2.xml`, true],
  [`${A}1.xml\n${A}2.html`, false],
])("addresses of sitemaps in the place of pages are pointed out: %s", (text, isSaid) => {
  expect(countOf(readList(text)).about?.includes("probably sitemaps") ?? false).toBe(isSaid);
});

describe("not readable as a whole: said with the reason", () => {
  test.each<[what: string, bytes: Uint8Array | string, message: string]>([
    ["a workbook", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "it is a workbook or an archive"],
    ["a compressed file", new Uint8Array([0x1f, 0x8b, 8]), "it is compressed"],
    ["a picture", new Uint8Array([1, 2, 3, 0, 0, 0]), "it is no text file"],
    ["an unknown encoding", '<?xml version="1.0" encoding="x-mine"?><urlset/>', "its encoding is not known"],
    [
      "broken XML",
      `<urlset ${SITEMAP}>\n<url><loc>${A}</url></urlset>`,
      "not well-formed XML: a closing tag does not fit (after 1 addresses), in line 2",
    ],
    ["a web page", "<html><body></body></html>", "its root element is none of"],
  ])("%s", (_, file, message) => {
    expect(() => readListFile(typeof file === "string" ? Buffer.from(file) : file)).toThrow(message);
  });
});

describe("decoded by its mark, the charset of its Content-Type, its XML declaration, in that order", () => {
  const latin = (text: string) => Buffer.from(text, "latin1");
  test("what is not in the encoding makes one entry invalid, and is never U+FFFD", () => {
    const list = readListFile(latin(`${A}1\n${A}é\n${A}2`));
    expect(list).toMatchObject({ urls: [`${A}1`, `${A}2`], refused: [{ line: 2, reason: "not_decodable" }] });
  });
});

test("the lines of a list are read as the same list: what would separate is quoted", () => {
  const urls = [`${A}a,b`, `${A}?u=1,https://b.example/`, `${A}"q", x`, `${A}2026,2026-11-02`, `${A}a b`, `${A}'`];
  const sitemap = `<urlset ${SITEMAP}>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
  const list = readList(sitemap);
  expect(list.urls).toEqual(urls);
  const again = readList(atOnce(linesOf(list)));
  expect(again).toMatchObject({ refused: [], offered: [] });
  expect(again.urls.map((url) => new URL(url).href)).toEqual(urls.map((url) => new URL(url).href));
});

test.each([
  ["lines", `${A}1\n`],
  ["empty lines", "\n"],
  ["empty lines of another system", "\r"],
  ["entries of one line", `${A}1 `],
  ["quoted entries of one line", `'${A}1' `],
  ["rows", `${A}1,x\n`],
  ["empty elements", "<url/>"],
  ["blanks", " "],
])("%s: a long list lets others in after a few hundred, and is the same list", async (_, piece) => {
  const text = `${piece.startsWith("<") ? "<urlset>" : ""}${piece.repeat(200_000 / piece.length)}${piece.startsWith("<") ? "</urlset>" : ""}`;
  let pauses = 0;
  const list = await readListWithPauses(text, { isOver: () => true, next: async () => void pauses++ });
  expect(list).toEqual(readList(text));
  expect(pauses).toBeGreaterThan(text.length / (32 * 1024) - 1);
  if (list.urls.length + list.duplicates > 0)
    expect(pauses).toBeGreaterThan((list.urls.length + list.duplicates) / 100);
});

const MB = 1024 * 1024;
const HOSTILE: readonly (readonly [what: string, text: string])[] = [
  ["carriage returns", "\r".repeat(2 * MB)],
  ["tabs in lines of their own", "\t\r".repeat(MB)],
  ["blanks", " ".repeat(2 * MB)],
  ["invisible marks", "\u200b".repeat(MB)],
  ["invisible marks around a word", `${"\u200b".repeat(MB)}x${"\u200b".repeat(MB)}`],
  ["bullets", "- ".repeat(MB)],
  ["numbers of bullets", "1.".repeat(MB)],
  ["digits", `${"1".repeat(MB)}x`],
  ["digits in many lines", `${"1".repeat(40)}x\n`.repeat(MB / 42)],
  ["quotation marks that nothing ends", `<${A}, `.repeat(MB / 11)],
  ["quoted words", "'a' ".repeat(MB / 2)],
  ["links of Markdown that do not end", `[a](${A} `.repeat(MB / 12)],
  ["names without a scheme in one line", "www.a.example ".repeat(MB / 7)],
  ["rows of quotation marks", `a,b\n${A},1\n${'"x\n'.repeat(MB / 2)}`],
  ["a comment of XML", `<!--${"-".repeat(2 * MB)}`],
  ["lines of XML that is none", `<urlset>${"\n".repeat(MB)}<`],
  ["entities", `<urlset ${SITEMAP}>${"<url><loc>a.example/?a&amp;b</loc></url>".repeat(MB / 40)}</urlset>`],
];

/** The most CPU that a step may take, in ms. */
const STEP = 50;

/** Takes all steps. Where one is over the limit, which something else may be the reason of, it tries again, three times in all. */
function walked<T>(
  steps: () => Steps<T>,
  tries = 3,
): { readonly value: T; readonly longest: number; readonly total: number } {
  const wholeMs = cpuClock();
  let longest = 0;
  for (const all = steps(); ; ) {
    const cpuMs = cpuClock();
    const { done, value } = all.next();
    longest = Math.max(longest, cpuMs());
    if (!done) continue;
    return longest < STEP || tries === 1 ? { value, longest, total: wholeMs() } : walked(steps, tries - 1);
  }
}

describe.each(HOSTILE)("a list of 2 MB of %s", (_, text) => {
  test("law: holds nobody up while it is read, and while it gets schemes and is written", { timeout: 60_000 }, () => {
    const { value: list, ...reading } = walked(() => unlessUnreadable(readingList(text)));
    const works = [reading, walked(() => withSchemes(text, list?.offered ?? []))];
    if (list) works.push(walked(() => linesOf(list)));
    for (const { longest } of works) expect(longest).toBeLessThan(STEP);
    expect(works.reduce((sum, { total }) => sum + total, 0)).toBeLessThan(6_000);
  });
});

function* unlessUnreadable(steps: Steps<List>): Steps<List | null> {
  try {
    return yield* steps;
  } catch (thrown) {
    if (thrown instanceof UnreadableList) return null;
    throw thrown;
  }
}

test("rows whose quotation marks do not fit together are not read to the end by each of them", () => {
  const parser = vi.spyOn(Papa, "Parser");
  const torn = `${A}1,x\n${`"x"y,${A}2\n`.repeat(2_000)}${`"x",${A}3\n`.repeat(2_000)}`;
  readList(torn);
  expect(parser.mock.calls.length).toBeLessThan(20);
  parser.mockRestore();
});
