import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { readSitemap } from "../../../../src/indexing/sitemap/read.ts";
import { Refusal } from "../../../../src/platform/errors/errors.ts";
import { SITEMAP_LIMITS, type SitemapLimits, UnreadableList } from "../../../../src/platform/lists/limits.ts";
import { SCANNED, scanEntry } from "../../../../src/platform/lists/xml/scan.ts";
import { xmlReader } from "../../../../src/platform/lists/xml/xml-reader.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { common, mutated } from "../../../support/sitemap/mutations.ts";
import { readTree } from "../../../support/sitemap/tree.ts";

const lower = (name: keyof SitemapLimits, min: number, max: number) =>
  fc.integer({ min, max }).map((limit): SitemapLimits => ({ ...SITEMAP_LIMITS, [name]: limit }));
const limits = fc.oneof(
  { weight: 4, arbitrary: fc.constant(SITEMAP_LIMITS) },
  { weight: 2, arbitrary: lower("elements", 1, 30) },
  { weight: 1, arbitrary: lower("depth", 1, 6) },
  { weight: 1, arbitrary: lower("address", 1, 50) },
  { weight: 1, arbitrary: lower("token", 190, 330) },
);
/** Sizes of the pieces a document comes in, again and again. */
const sizesFrom = (min: number) =>
  fc.oneof(
    fc.constant([1_000_000]),
    fc.constant([min]),
    fc.array(fc.integer({ min, max: 300 }), { minLength: 1, maxLength: 5 }),
  );
const sizes = sizesFrom(30);

test("with the fast scanner or without, in any chunks: the addresses and the refusal are the same", () => {
  let read = 0;
  let scanned = 0;
  const property = fc.property(mutated, limits, sizesFrom(1), sizesFrom(1), (text, most, cuts, otherCuts) => {
    const document = text.trimStart();
    // Shorter names than the scanner's are how it is switched off.
    fc.pre(!/<[\w:.]{41}/.test(document));
    const outcome = readXml(document, most, cuts);
    const unscanned = readXml(document, { ...most, name: SCANNED.name - 1 }, otherCuts);
    // What is both too long and broken may be refused for either, as it comes.
    const isTooLong = [outcome, unscanned].some(({ refusal }) => refusal?.includes(" too long "));
    const words = (one: string | null) =>
      isTooLong ? one?.replace(/ (?:a tag|it is not well)[^(]* \(/, " broken (") : one;
    expect({ ...unscanned, refusal: words(unscanned.refusal) }).toEqual({
      ...outcome,
      refusal: words(outcome.refusal),
    });
    if (outcome.refusal === null) read += 1;
    if (scanEntry(document, document.indexOf("</url>") + "</url>".length)) scanned += 1;
  });
  fc.assert(property, { numRuns: fuzzRuns(2_000), seed: 1 });
  // Of both there must be enough for this to say something.
  expect(read).toBeGreaterThan(fuzzRuns(250));
  expect(scanned).toBeGreaterThan(fuzzRuns(350));
});

test("the addresses are the same as in the tree of the whole document, and what the tree parser refuses is refused", async () => {
  let read = 0;
  const packed = fc.constantFrom(
    (bytes: Buffer) => bytes,
    gzipSync,
    (bytes: Buffer) => gzipSync(gzipSync(bytes)),
  );
  const encoded = fc.constantFrom<[to: (text: string) => Buffer, from: string]>(
    [(text) => Buffer.from(text), "utf-8"],
    [(text) => Buffer.from(`\ufeff${text}`), "utf-8"],
    [(text) => Buffer.from(`\ufeff${text}`, "utf16le"), "utf-16le"],
    [(text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(), "utf-16be"],
    [(text) => Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${text}`, "latin1"), "windows-1252"],
  );
  /** Changes of single bytes, after those that declare the encoding. */
  const flips = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { maxLength: 3 }) },
  );
  const property = fc.asyncProperty(
    mutated,
    encoded,
    flips,
    packed,
    sizes,
    async (text, [encode, encoding], flipped, pack, cuts) => {
      const bytes = encode(text.trimStart());
      for (const [at, bits] of flipped) if (bytes.length > 60) bytes[60 + (at % (bytes.length - 60))]! ^= bits;
      const document = new TextDecoder(encoding).decode(bytes).trimStart();
      fc.pre(document.startsWith("<"));
      const expected = readTree(document, SITEMAP_LIMITS);
      const parsed = await readBytes(inPieces(pack(bytes), cuts));
      expect(parsed).toEqual(expected);
      if (expected) read += 1;
    },
  );
  await fc.assert(property, { numRuns: fuzzRuns(500), seed: 2 });
  expect(read).toBeGreaterThan(fuzzRuns(80));
});

test("sitemaps of the common shape have the addresses that another parser finds", async () => {
  const parser = new XMLParser({
    parseTagValue: false,
    isArray: (name) => name === "url",
    processEntities: { enabled: true, maxTotalExpansions: Infinity },
  });
  await fc.assert(
    fc.asyncProperty(common, sizes, async (text, cuts) => {
      const { urlset } = parser.parse(text);
      const addresses = (urlset.url ?? []).map(({ loc }: { loc: string }) => loc);
      expect(await readBytes(inPieces(Buffer.from(text), cuts))).toEqual({ format: "urlset", addresses });
    }),
    { numRuns: fuzzRuns(250), seed: 3 },
  );
});

test("a text has the addresses of its lines, in any chunks", async () => {
  const line = fc.constantFrom("https://example.com/", "/a", "b", "", " ", "\u00a0", "ü", "\t/c\t", "d e", "\u0001");
  const text = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r", "\n\n")), { maxLength: 150 })
    .map((lines) => lines.flat().join(""));
  await fc.assert(
    fc.asyncProperty(text, sizes, async (document, cuts) => {
      const addresses = document.split(/[\r\n]/).flatMap((one) => one.trim() || []);
      const isList = addresses.slice(0, 100).some((address) => /^(https?:\/)?\//.test(address));
      const isText = isList && !document.includes("\u0001");
      const expected = isText ? { format: "text", addresses } : null;
      expect(await readBytes(inPieces(Buffer.from(document), cuts))).toEqual(expected);
    }),
    { numRuns: fuzzRuns(400), seed: 4 },
  );
});

/** The addresses found, also before a refusal, and the message of the refusal. */
function readXml(text: string, most: SitemapLimits, cuts: readonly number[]) {
  const addresses: string[] = [];
  const reader = xmlReader((address) => addresses.push(address), most);
  try {
    for (const piece of cutUp(text, cuts)) reader.write(piece);
    return { format: reader.end(), addresses, refusal: null };
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(UnreadableList);
    return { addresses, refusal: (thrown as UnreadableList).message };
  }
}

/** Null for a refusal. */
async function readBytes(source: AsyncIterable<Buffer>) {
  const addresses: string[] = [];
  try {
    const { format } = await readSitemap(source, (address) => addresses.push(address));
    return { format, addresses };
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Refusal);
    return null;
  }
}

async function* inPieces(whole: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  yield* cutUp(whole, cuts);
}

function* cutUp<T extends string | Buffer>(whole: T, cuts: readonly number[]): Generator<T> {
  for (let at = 0, next = 0; at < whole.length; next++) {
    const size = cuts[next % cuts.length]!;
    yield whole.slice(at, at + size) as T;
    at += size;
  }
}
