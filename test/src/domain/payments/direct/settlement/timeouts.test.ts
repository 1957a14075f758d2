import { expect, test } from "vitest";
import { TIMEOUTS } from "../../../../../../src/domain/payments/direct/settlement/timeouts.ts";

test("the time limits of a call add up to less than a lease", () => {
  const { verifyMs, settleMs, pauses, sleep } = TIMEOUTS;
  expect(verifyMs + settleMs + pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(120_000);
  expect(sleep(0)).toBeInstanceOf(Promise);
});
