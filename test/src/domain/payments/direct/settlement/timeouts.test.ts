import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { PATIENCE } from "../../../../../../src/domain/payments/direct/settlement/timeouts.ts";

test("work that ends in time is answered by its result, or its fault", async () => {
  expect(await PATIENCE.within(Promise.resolve("done"), 60_000)).toBe("done");
  await expect(PATIENCE.within(Promise.reject(new Error("broken")), 60_000)).rejects.toThrow("broken");
});

test("work that takes longer is not waited for, and may fail later", async () => {
  const late = sleep(5).then(() => Promise.reject(new Error("too late")));
  expect(await PATIENCE.within(late, 0)).toBeNull();
  await late.catch(() => undefined);
});

test("one call takes less time than a lease", () => {
  const { verifyMs, settleMs, pauses, sleep } = PATIENCE;
  expect(verifyMs + settleMs + pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(120_000);
  expect(sleep(0)).toBeInstanceOf(Promise);
});
