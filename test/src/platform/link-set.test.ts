import fc from "fast-check";
import { expect, test } from "vitest";
import { linkId, linkKey, positionOf, positionOfLinkId } from "../../../src/platform/ids.ts";
import { hasPosition, packPositions, packRange, unpackPositions } from "../../../src/platform/link-set.ts";
import { fuzzRuns } from "../../support/checks/fuzz-runs.ts";

const position = fc.nat(9_999);

test("law: unpacking returns exactly the packed positions, in ascending order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(position, { minLength: 1, maxLength: 500 }), fc.array(position), (positions, others) => {
      const set = packPositions(positions);
      const sorted = [...positions].sort((a, b) => a - b);
      expect(unpackPositions(set)).toEqual(sorted);
      expect([set.first, set.last, set.size]).toEqual([sorted[0], sorted.at(-1), positions.length]);
      for (const other of [...positions, ...others]) expect(hasPosition(set, other)).toBe(positions.includes(other));
    }),
    { numRuns: fuzzRuns(300), seed: 1 },
  );
});

test("law: a range is packed as its positions are", () => {
  fc.assert(
    fc.property(position, fc.integer({ min: 1, max: 500 }), (first, size) => {
      expect(packRange(first, size)).toEqual(packPositions(Array.from({ length: size }, (_, at) => first + at)));
    }),
  );
});

test.each([
  [[0], 1],
  [[9_999], 1],
  [[0, 9_999], 1_250],
  [Array.from({ length: 500 }, (_, i) => 300 + i), 63],
])("the size of a set is the size of its span: %#", (positions, bytes) => {
  expect(packPositions(positions).members).toHaveLength(bytes);
});

test("law: the key and the id of a link lead back to its position, in its own project only", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), position, (no, at) => {
      expect(positionOf(linkKey(no, at))).toBe(at);
      expect(linkKey(no, at)).toBeLessThan(linkKey(no + 1, 0));
      const project = `prj_${String(no).padStart(13, "0")}`;
      expect(positionOfLinkId(linkId(project, at), project)).toBe(at);
      expect(positionOfLinkId(linkId(project, at), `prj_${"z".repeat(13)}`)).toBeNull();
    }),
  );
});

test.each(["lnk_0000000000000_01", "lnk_0000000000000_10000", "lnk_0000000000000_-1", "lnk_0000000000000_", "x", ""])(
  "%j is not the id of a link",
  (id) => {
    expect(positionOfLinkId(id, "prj_0000000000000")).toBeNull();
  },
);
