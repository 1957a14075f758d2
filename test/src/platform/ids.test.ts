import fc from "fast-check";
import { expect, test } from "vitest";
import { newOrderedId } from "../../../src/platform/ids.ts";

const time = fc.nat(2 ** 45 - 1);

test("law: an id sorts after every id of an earlier moment", () => {
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, second] = [newOrderedId("tsk", a), newOrderedId("tsk", b)];
      expect(first).toMatch(/^tsk_[0-9a-hjkmnp-tv-z]{20}$/);
      if (a !== b) expect(first < second).toBe(a < b);
    }),
  );
});

test("law: ids of one moment differ", () => {
  const ids = Array.from({ length: 1_000 }, () => newOrderedId("tsk", 1_768_000_000_000));
  expect(new Set(ids).size).toBe(1_000);
});
