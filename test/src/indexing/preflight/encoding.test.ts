import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeHtml, decodeText } from "../../../../src/indexing/preflight/encoding.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const BE = (text: string) => Buffer.from(text, "utf16le").swap16();
const LE = (text: string) => Buffer.from(text, "utf16le");
const UTF_8 = (text: string) => Buffer.from(text);
const LATIN_1 = (text: string) => Buffer.from(text, "latin1");
const bytes = (hex: string) => Buffer.from(hex, "hex");

async function* pieces(whole: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

async function decoded(whole: Buffer, charset: string | null, size = 64_000): Promise<string> {
  let text = "";
  for await (const part of decodeHtml(pieces(whole, size), charset)) text += part;
  return text;
}

const PAGE = "<title>Köln</title>";
const meta = (charset: string) => `<meta charset=${charset}>${PAGE}`;

const BODIES: readonly (readonly [name: string, body: Buffer, charset: string | null, text: string])[] = [
  ["nothing says it: UTF-8", UTF_8(PAGE), null, PAGE],
  ["the byte order mark of UTF-8", UTF_8(`\uFEFF${PAGE}`), null, PAGE],
  ["the byte order mark of UTF-8, against the header", UTF_8(`\uFEFF${PAGE}`), "iso-8859-1", PAGE],
  ["the byte order mark of UTF-16, little endian", LE(`\uFEFF${PAGE}`), null, PAGE],
  ["the byte order mark of UTF-16, big endian", BE(`\uFEFF${PAGE}`), null, PAGE],
  ["the byte order mark of UTF-16, against the header", LE(`\uFEFF${PAGE}`), "utf-8", PAGE],
  ["UTF-16 by the header", LE(PAGE), "utf-16", PAGE],
  ["UTF-16 by the header, big endian", BE(PAGE), "UTF-16BE", PAGE],
  ["UTF-16 that nothing says", LE(PAGE), null, PAGE],
  ["UTF-16 that nothing says, big endian", BE(PAGE), null, PAGE],
  ["a header that says UTF-16 of UTF-8", UTF_8(PAGE), "utf-16", PAGE],
  ["Latin-1 by the header", LATIN_1(PAGE), "ISO-8859-1", PAGE],
  ["the header, against the document", UTF_8(meta("iso-8859-1")), "utf-8", meta("iso-8859-1")],
  ["a header of no encoding, and the document", LATIN_1(meta("latin1")), "none", meta("latin1")],
  ["Latin-1 by meta", LATIN_1(meta("windows-1252")), null, meta("windows-1252")],
  ["Latin-1 by meta in quotes", LATIN_1(meta("'latin1'")), null, meta("'latin1'")],
  [
    "Latin-1 by meta http-equiv",
    LATIN_1(`<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">${PAGE}`),
    null,
    `<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">${PAGE}`,
  ],
  [
    "a meta in a comment",
    UTF_8(`<!-- <meta charset=latin1> -->${PAGE}`),
    null,
    `<!-- <meta charset=latin1> -->${PAGE}`,
  ],
  ["a meta that says UTF-16 of UTF-8", UTF_8(meta("utf-16")), null, meta("utf-16")],
  ["a meta of no encoding", UTF_8(meta("foo")), null, meta("foo")],
  [
    "the XML declaration",
    LATIN_1(`<?xml version="1.0" encoding="iso-8859-1"?>${PAGE}`),
    null,
    `<?xml version="1.0" encoding="iso-8859-1"?>${PAGE}`,
  ],
  ["Shift JIS", Buffer.concat([UTF_8("<title>"), bytes("838c"), UTF_8("</title>")]), "Shift_JIS", "<title>レ</title>"],
  ["GBK", Buffer.concat([UTF_8("<title>"), bytes("d6d0"), UTF_8("</title>")]), "gb2312", "<title>中</title>"],
  ["one byte", UTF_8("a"), null, "a"],
  ["no byte", Buffer.alloc(0), null, ""],
];

test.each(BODIES)("%s", async (_, body, charset, text) => {
  expect(await decoded(body, charset)).toBe(text);
});

test("the split into chunks makes no difference", async () => {
  const long = fc.tuple(
    fc.constantFrom(...BODIES),
    fc.integer({ min: 0, max: 1_100 }),
    fc.integer({ min: 1, max: 700 }),
  );
  await fc.assert(
    fc.asyncProperty(long, async ([[, body, charset], padding, size]) => {
      const whole = Buffer.concat([body, Buffer.alloc(padding, " "), Buffer.from("é")]);
      expect(await decoded(whole, charset, size)).toBe(await decoded(whole, charset));
    }),
    { numRuns: fuzzRuns(500), seed: 1 },
  );
});

test("what arrived before a failure is decoded, and then the failure is thrown", async () => {
  async function* broken() {
    yield LE(PAGE);
    throw new Error("cut off");
  }
  const seen: string[] = [];
  const reading = async () => {
    for await (const text of decodeHtml(broken(), null)) seen.push(text);
  };
  await expect(reading()).rejects.toThrow("cut off");
  expect(seen).toEqual([PAGE]);
});

test.each([
  ["UTF-8", UTF_8("Disallow: /café"), null],
  ["a byte order mark", UTF_8("\uFEFFDisallow: /café"), null],
  ["UTF-16", LE("\uFEFFDisallow: /café"), null],
  ["UTF-16 by its zero bytes", BE("Disallow: /café"), null],
  ["Latin-1 by the header", LATIN_1("Disallow: /café"), "latin1"],
])("plain text: %s", (_, body, charset) => {
  expect(decodeText(body, charset)).toBe("Disallow: /café");
});
