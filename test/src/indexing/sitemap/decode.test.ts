import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "../../../../src/indexing/sitemap/decode.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

test("UTF-8, valid or not, in any chunks, is decoded as the encoding standard says", async () => {
  const byte = fc.oneof(
    fc.constantFrom(
      0x41,
      0x3c,
      0x7f,
      0x80,
      0xbf,
      0xc0,
      0xc3,
      0xa4,
      0xe2,
      0x82,
      0xac,
      0xed,
      0xf0,
      0x9f,
      0x98,
      0xf4,
      0xff,
    ),
    fc.integer({ min: 0, max: 255 }),
  );
  const character = fc
    .constantFrom("a", "\u00e4", "\u20ac", "\ud7ff", "\ufeff", "\u{1f600}")
    .map((one) => [...Buffer.from(one)]);
  const bytes = fc.array(fc.oneof(character, fc.array(byte, { maxLength: 4 })), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      async (all, sizes) => {
        // What would be taken for another encoding stands elsewhere.
        const document = Buffer.from([0x3c, 0x61, ...all.flat()]);
        let text = "";
        for await (const piece of decode(inPieces(document, sizes))) text += piece;
        expect(text).toBe(new TextDecoder().decode(document));
      },
    ),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

async function* inPieces(whole: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, next = 0; at < whole.length; next++) {
    const size = sizes[next % sizes.length]!;
    yield whole.subarray(at, at + size);
    at += size;
  }
}
