import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSitemap } from "../../../../src/indexing/sitemap/read.ts";
import { SITEMAP_LIMITS } from "../../../../src/platform/lists/limits.ts";
import { linesOf } from "../../../../src/platform/lists/list-lines.ts";
import { readList, readListFile } from "../../../../src/platform/lists/read-list.ts";
import { atOnce } from "../../../../src/platform/lists/steps.ts";
import { TextReader } from "../../../../src/platform/lists/text-reader.ts";
import { normaliseUrl, parseUrlList } from "../../../../src/platform/urls/urls.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { ENCODINGS, LISTS } from "../../../support/lists/generated.ts";

const RUNS = { numRuns: fuzzRuns(300), seed: 1 };
const encodings = fc.constantFrom(...Object.values(ENCODINGS));
const normal = (urls: readonly string[]) => urls.map((url) => normaliseUrl(url));

describe.each(Object.entries(LISTS))("%s", (_, lists) => {
  test("in any encoding: the URLs that it means, each once, and nothing is refused", () => {
    const property = fc.property(lists, encodings, ({ text, urls }, { encode }) => {
      const list = readListFile(encode(text));
      const { accepted, duplicates } = parseUrlList(urls);
      expect({ ...list, urls: normal(list.urls) }).toMatchObject({
        urls: accepted,
        duplicates,
        refused: [],
        offered: [],
      });
    });
    fc.assert(property, RUNS);
  });

  test("the service reads the same list from an address", async () => {
    const property = fc.asyncProperty(lists, encodings, async ({ text }, { encode }) => {
      const addresses: string[] = [];
      const bytes = Buffer.from(encode(text));
      await readSitemap(bytes, (url) => addresses.push(url), SITEMAP_LIMITS, false);
      expect(parseUrlList(addresses).accepted).toEqual(normal(readListFile(bytes).urls));
    });
    await fc.assert(property, RUNS);
  });

  test("its lines are the same list again", () => {
    const property = fc.property(lists, ({ text }) => {
      const list = readList(text);
      expect(normal(readList(atOnce(linesOf(list))).urls)).toEqual(normal(list.urls));
    });
    fc.assert(property, RUNS);
  });
});

/** Characters that mean something to some reader. */
const character = fc.constantFrom(..."https://a.example/,;|\t\"'<>[]()#-*1. \n\r\ufeff\ufffdé&=?x");
const untidy = fc
  .oneof(
    fc
      .array(
        fc.oneof(character, fc.constantFrom("https://a.example/", "www.example.com", "\r\n", "sep=;\n", "URL,x\n")),
        { maxLength: 60 },
      )
      .map((parts) => parts.join("")),
    fc
      .tuple(fc.oneof(...Object.values(LISTS)), fc.array(fc.tuple(fc.nat(), character), { maxLength: 5 }))
      .map(([{ text }, changes]) =>
        changes.reduce(
          (now, [at, one]) => now.slice(0, at % (now.length + 1)) + one + now.slice(at % (now.length + 1)),
          text,
        ),
      ),
  )
  .filter((text) => !/^\s*</.test(text.replace(/^\ufeff/, "")));

test("nothing is lost: urls + duplicates + refused + offered = entries, and each that is not taken is named by its line", () => {
  const property = fc.property(untidy, (text) => {
    const list = readList(text);
    const entries: string[] = [];
    const reader = new TextReader((entry) => entries.push(entry), Number.POSITIVE_INFINITY);
    reader.write(text.replace(/^\ufeff/, ""));
    reader.end();
    expect(list.urls.length + list.duplicates + list.refused.length + list.offered.length).toBe(entries.length);
    const lines = text.split(/\r\n|\n|\r/);
    for (const { line, text: entry } of [...list.refused, ...list.offered]) {
      expect(line).toBeGreaterThan(0);
      expect(line).toBeLessThanOrEqual(lines.length);
      expect(lines.slice(line - 1).join(" ")).toContain(entry.split(/\s/)[0]!.replaceAll('"', "").slice(0, 1));
    }
  });
  fc.assert(property, RUNS);
});

test("a text that comes in pieces is read as the whole", () => {
  const property = fc.property(
    untidy,
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
    (text, cuts) => {
      const read = (pieces: readonly string[]) => {
        const entries: unknown[] = [];
        const reader = new TextReader((entry, _, found) => entries.push([entry, found]), Number.POSITIVE_INFINITY);
        for (const piece of pieces) reader.write(piece);
        reader.end();
        return entries;
      };
      const pieces: string[] = [];
      for (let at = 0, n = 0; at < text.length; at += cuts[n % cuts.length]!, n++)
        pieces.push(text.slice(at, at + cuts[n % cuts.length]!));
      expect(read(pieces)).toEqual(read([text]));
    },
  );
  fc.assert(property, RUNS);
});

test("a table longer than what is looked at first is read to its end", () => {
  const rows = Array.from({ length: 5_000 }, (_, n) => `"Title ""${n}"", with\na line",https://a.example/${n},${n}`);
  const list = readList(`Title,URL,Clicks\n${rows.join("\n")}\nx,nothing,1`);
  expect(list.urls).toHaveLength(5_000);
  expect(list.refused).toMatchObject([{ line: 10_002, text: "nothing" }]);
});
