import { expect, test } from "vitest";
import { MAX_LIMIT, parseLimit, SUGGESTED_LIMITS } from "../../../../src/domain/spending/limits.ts";

test.each([
  ["", null],
  ["  ", null],
  ["0", 0],
  [" 12 ", 12],
  [`${MAX_LIMIT}`, MAX_LIMIT],
  [`${MAX_LIMIT + 1}`, undefined],
  ["00000000001", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["Infinity", undefined],
  ["many", undefined],
])("a typed limit %j is %s", (typed, limit) => {
  expect(parseLimit(typed)).toBe(limit);
});

test("law: an app is suggested a limit for each call, day and month, and an approval for less than a call may cost", () => {
  const { perCall, perDay, perMonth, total, approveAbove } = SUGGESTED_LIMITS;
  expect([approveAbove, perCall, perDay, perMonth].every((limit) => limit! > 0)).toBe(true);
  expect([approveAbove!, perCall!, perDay!, perMonth!]).toEqual(
    [approveAbove!, perCall!, perDay!, perMonth!].toSorted((one, other) => one - other),
  );
  expect(total).toBeNull();
});
