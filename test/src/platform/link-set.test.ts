import fc from "fast-check";
import { expect, test } from "vitest";
import { linkId, linkKey, placeOf, placeOfLinkId } from "../../../src/platform/ids.ts";
import { hasPlace, packPlaces, unpackPlaces } from "../../../src/platform/link-set.ts";

const place = fc.nat(9_999);

test("law: what is packed is unpacked ascending, and nothing else is in it", () => {
  fc.assert(
    fc.property(fc.uniqueArray(place, { minLength: 1, maxLength: 500 }), fc.array(place), (places, others) => {
      const set = packPlaces(places);
      const sorted = [...places].sort((a, b) => a - b);
      expect(unpackPlaces(set)).toEqual(sorted);
      expect([set.first, set.last, set.size]).toEqual([sorted[0], sorted.at(-1), places.length]);
      for (const other of [...places, ...others]) expect(hasPlace(set, other)).toBe(places.includes(other));
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

test.each([
  [[0], 1],
  [[9_999], 1],
  [[0, 9_999], 1_250],
  [Array.from({ length: 500 }, (_, i) => 300 + i), 63],
])("the size of a set is that of its span: %#", (places, bytes) => {
  expect(packPlaces(places).members).toHaveLength(bytes);
});

test("law: a link's key and its id lead back to its place, in its own project only", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), place, (no, at) => {
      expect(placeOf(linkKey(no, at))).toBe(at);
      expect(linkKey(no, at)).toBeLessThan(linkKey(no + 1, 0));
      const project = `prj_${String(no).padStart(13, "0")}`;
      expect(placeOfLinkId(linkId(project, at), project)).toBe(at);
      expect(placeOfLinkId(linkId(project, at), `prj_${"z".repeat(13)}`)).toBeNull();
    }),
  );
});

test.each(["lnk_0000000000000_01", "lnk_0000000000000_10000", "lnk_0000000000000_-1", "lnk_0000000000000_", "x", ""])(
  "no id of a link: %j",
  (id) => {
    expect(placeOfLinkId(id, "prj_0000000000000")).toBeNull();
  },
);
