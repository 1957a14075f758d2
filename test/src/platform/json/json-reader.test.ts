import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonBounds, JsonReader, JsonTooLarge } from "../../../../src/platform/json/json-reader.ts";
import { RawList } from "../../../../src/platform/json/raw-list.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const BOUNDS: JsonBounds = { depth: 20, values: 10_000, members: 1_000, nameBytes: 200, bytes: 100_000 };

const LIST = { name: "urls", bytes: 0, elementBytes: 1_000 };

/** Reads a text in pieces of the given sizes, the last of which is repeated. */
function read(text: string | Buffer, { sizes = [65_536], bounds = {}, list = LIST } = {}): unknown {
  const bytes = Buffer.from(text as string);
  const reader = new JsonReader({ ...BOUNDS, ...bounds }, list, bytes.length);
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[Math.min(piece, sizes.length - 1)]!;
    reader.write(bytes.subarray(at, at + size));
    at += size;
  }
  return reader.end();
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test("any document, in any pieces, is what JSON.parse makes of it", () => {
  const named = fc.dictionary(fc.constantFrom("urls", "a", "url", "urlss", 'u"rls', "urls\\"), fc.jsonValue(), {
    maxKeys: 4,
  });
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), named),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (value, sizes) => {
        const text = JSON.stringify(value);
        expect(plain(read(text, { sizes }))).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: fuzzRuns(100), seed: 1 },
  );
});

test("any bytes are refused exactly when JSON.parse refuses them", () => {
  const broken = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 1eu-.tn\u00e9'), maxLength: 30 });
  fc.assert(
    fc.property(
      fc.oneof(
        broken,
        broken.map((text) => `{"urls":[${text}`),
        broken.map((text) => `{"urls":[${text}]}`),
      ),
      (text) => {
        const outcome = (parse: () => unknown) => {
          try {
            return { value: plain(parse()) };
          } catch (thrown) {
            if (thrown instanceof SyntaxError) return "not JSON";
            throw thrown;
          }
        };
        expect(outcome(() => read(text, { sizes: [3] }))).toEqual(outcome(() => JSON.parse(text)));
      },
    ),
    { numRuns: fuzzRuns(1_000), seed: 1 },
  );
});

test("the first array of the list's name is kept as it came, wherever it is", () => {
  const list = '[ "a",\t"b\\"]" ]';
  const read1 = read(`{"x":{"urls" : ${list}, "urls2":[1]},"urls":["second"]}`, { sizes: [1] }) as never as {
    x: { urls: RawList };
    urls: unknown;
  };
  expect(Buffer.from(read1.x.urls.bytes).toString()).toBe(list);
  expect(read1.x.urls.values).toBe(2);
  expect(read1.urls).toEqual(["second"]);
});

test.each([
  ['"urls"', "urls"],
  ['["urls"]', ["urls"]],
  ['{"urls":"urls"}', { urls: "urls" }],
  ['{"urls":{"urls":null}}', { urls: { urls: null } }],
  ['{"a":"urls","b":[1]}', { a: "urls", b: [1] }],
  ['["urls",[1]]', ["urls", [1]]],
])("what only looks like the list's name is not taken for it: %s", (text, value) => {
  const document = read(text, { sizes: [2] });
  expect(document).toEqual(value);
});

describe("a document is refused where it holds more than it may", () => {
  test.each([
    ["depth", "[".repeat(21), { depth: 20 }],
    ["depth", '{"a":'.repeat(21), { depth: 20 }],
    ["values", `[${"1,".repeat(101)}`, { values: 100 }],
    ["values", `[${"[],".repeat(101)}`, { values: 100 }],
    ["values", `{"urls":[${'"",'.repeat(101)}`, { values: 100 }],
    ["members", `{${'"a":1,'.repeat(11)}`, { members: 10 }],
    ["nameBytes", `{"${"a".repeat(11)}":`, { nameBytes: 10 }],
    ["nameBytes", `{"${'\\"'.repeat(11)}":`, { nameBytes: 10 }],
    ["elementBytes", `{"urls":["${"a".repeat(1_000)}`, {}],
    ["elementBytes", `{"urls":["a","${'\\"'.repeat(501)}`, {}],
    ["elementBytes", `{"urls":["a",${"9".repeat(1_001)}`, {}],
    ["elementBytes", `{"urls":["a"${" ".repeat(1_001)}`, {}],
    ["elementBytes", `{"urls":[{"a":"${"a".repeat(1_000)}`, {}],
    ["bytes", `{"a":"${"a".repeat(100)}`, { bytes: 100 }],
    ["bytes", `{"urls":[],"a":"${"a".repeat(100)}`, { bytes: 100 }],
  ] as [JsonTooLarge["bound"], string, Partial<JsonBounds>][])("%s: %s", (bound, text, bounds) => {
    for (const sizes of [[1], [65_536]]) {
      let thrown: unknown = null;
      try {
        read(text, { sizes, bounds });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(JsonTooLarge);
      expect((thrown as JsonTooLarge).bound).toBe(bound);
    }
  });

  test("entries of a list may be as long as they may, each", () => {
    const urls = ["a".repeat(997), "b".repeat(997), "c".repeat(997)];
    for (const sizes of [[7], [65_536]]) expect(plain(read(JSON.stringify({ urls }), { sizes }))).toEqual({ urls });
  });

  test("a list may have more bytes than the rest", () => {
    const urls = Array.from({ length: 50 }, (_, n) => `https://example.com/${n}`);
    expect(plain(read(JSON.stringify({ urls }), { bounds: { bytes: 100 } }))).toEqual({ urls });
  });
});

test("a list that is short is parsed with the rest", () => {
  expect(read('{"urls":["a"],"b":1}', { list: { ...LIST, bytes: 6 } })).toEqual({ urls: ["a"], b: 1 });
  expect(read('{"urls":["ab"]}', { list: { ...LIST, bytes: 6 } })).toEqual({ urls: expect.any(RawList) });
});

test("bytes that are not UTF-8 are refused, in the list when it is read", () => {
  expect(() => read(Buffer.from([0x22, 0xff, 0x22]))).toThrow(TypeError);
  const { urls } = read(
    Buffer.concat([Buffer.from('{"urls":["'), Buffer.from([0xff]), Buffer.from('"]}')]),
  ) as never as {
    urls: RawList;
  };
  expect(() => urls.toJSON()).toThrow(TypeError);
});
