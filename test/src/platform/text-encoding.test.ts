import { expect, test } from "vitest";
import { encodingOf } from "../../../src/platform/text-encoding.ts";

const ADDRESS = "https://example.com/é";
const xml = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><urlset><url><loc>${ADDRESS}</loc></url></urlset>`;
const latin = (text: string) => Buffer.from(text, "latin1");

test.each<[what: string, bytes: Uint8Array, charset: string | null]>([
  ["the charset of the Content-Type", latin(ADDRESS), "ISO-8859-1"],
  ["the charset before the declaration", latin(xml("utf-8")), "iso-8859-1"],
  ["the declaration", latin(xml("windows-1252")), null],
  ["the declaration, where the charset is not known", latin(xml("windows-1252")), "none"],
  ["the mark before both", Buffer.from(`\ufeff${xml("iso-8859-1")}`), "iso-8859-1"],
  ["UTF-16, whose mark says which", Buffer.from(`\ufeff${ADDRESS}`, "utf16le").swap16(), "utf-16"],
  ["UTF-16 by its zeros", Buffer.from(xml("utf-16"), "utf16le"), null],
  ["UTF-8 without any of them", Buffer.from(ADDRESS), null],
])("a document is decoded by %s", (_, bytes, charset) => {
  expect(new TextDecoder(encodingOf(bytes, charset)!).decode(bytes)).toContain(ADDRESS);
});

test("null: a declaration that nobody knows", () => {
  expect(encodingOf(Buffer.from(xml("x-mine")))).toBeNull();
});
