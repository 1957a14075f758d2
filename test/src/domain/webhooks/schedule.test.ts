import { expect, test } from "vitest";
import { nextAttempt } from "../../../../src/domain/webhooks/schedule.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";

test("attempts follow after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, and then none", () => {
  const delays = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
  expect(delays.map((_, at) => nextAttempt({ tries: at + 1, now: 1_000 }, 0))).toEqual(delays.map((ms) => 1_000 + ms));
  expect(nextAttempt({ tries: delays.length + 1, now: 1_000 }, 0)).toBeNull();
});

test("an attempt is up to a tenth of its delay later", () => {
  expect(nextAttempt({ tries: 4, now: 0 }, 1)).toBe(2 * HOUR + 12 * MINUTE);
});

test("what the receiver asks for by Retry-After is heeded where it is later", () => {
  expect(nextAttempt({ tries: 1, now: 0, notBefore: MINUTE }, 0)).toBe(MINUTE);
  expect(nextAttempt({ tries: 3, now: 0, notBefore: MINUTE }, 0)).toBe(30 * MINUTE);
});
