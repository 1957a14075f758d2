import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLength, jsonPieces, RawList, stringifyWith } from "../../../../src/platform/json/raw-list.ts";

const listOf = (text: string) => new RawList(new Uint8Array(Buffer.from(text)), 0);

/** A list that fails when it is made. */
class Untouched extends RawList {
  override *elements(): Generator<unknown> {
    yield expect.unreachable("a list was parsed");
  }
}

test("the elements of any array are what JSON.parse makes of it", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1), (values, space) => {
      const text = JSON.stringify(values, null, space);
      expect(listOf(text).toJSON()).toEqual(JSON.parse(text));
    }),
  );
});

test("any text in brackets is refused exactly when JSON.parse refuses it", () => {
  const parts = fc.array(fc.constantFrom(...'{}[]",:\\ 1a'), { maxLength: 20 }).map((all) => `[${all.join("")}]`);
  const outcome = (parse: () => unknown) => {
    try {
      return { value: parse() };
    } catch (thrown) {
      return (thrown as Error).name;
    }
  };
  fc.assert(
    fc.property(parts, (text) => {
      expect(outcome(() => listOf(text).toJSON())).toEqual(outcome(() => JSON.parse(text)));
    }),
    { numRuns: 3_000 },
  );
});

test("the pieces of a value with lists are its JSON, an element at a time", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(fc.string(), { minLength: 1 }), (one, other) => {
      const value = { before: "x", one: listOf(JSON.stringify(one)), deep: [{ other: listOf(JSON.stringify(other)) }] };
      const pieces = [...jsonPieces(value)];
      expect(pieces.join("")).toBe(JSON.stringify({ before: "x", one, deep: [{ other }] }));
      expect(pieces.length).toBeGreaterThanOrEqual(one.length + other.length);
    }),
  );
});

test("a text that stands for a list, or its length, parses no list", () => {
  const value = { urls: new Untouched(new Uint8Array(10), 1), n: 1 };
  expect(stringifyWith(() => "a list", value)).toBe('{"urls":"a list","n":1}');
  expect(jsonLength(value)).toBe('{"urls":"","n":1}'.length + 10);
});
