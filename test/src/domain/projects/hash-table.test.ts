import fc from "fast-check";
import { expect, test } from "vitest";
import { HashTable } from "../../../../src/domain/projects/hash-table.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

/** Hashes of two lanes, few enough that many are equal, or begin their search at the same place. */
const lane = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffffffff }));
const hashes = fc.array(fc.tuple(lane, lane), { maxLength: 60 });

test("for any hashes, match finds exactly the equal pairs", () => {
  fc.assert(
    fc.property(hashes, hashes, (ours, theirs) => {
      const found: string[] = [];
      new HashTable(bytesOf(ours)).match(bytesOf(theirs), (index, position) => found.push(`${index}:${position}`));
      const equal = theirs.flatMap(([a, b], position) =>
        ours.flatMap(([c, d], index) => (a === c && b === d ? [`${index}:${position}`] : [])),
      );
      expect(found.sort()).toEqual(equal.sort());
    }),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

test("hashes at an unaligned address are read correctly", () => {
  const odd = Buffer.concat([Buffer.alloc(1), bytesOf([[7, 9]])]).subarray(1);
  const found: number[] = [];
  new HashTable(odd).match(odd, (index, position) => found.push(index, position));
  expect(found).toEqual([0, 0]);
});

function bytesOf(pairs: readonly (readonly [number, number])[]): Buffer {
  return Buffer.from(new Uint32Array(pairs.flat()).buffer);
}
