import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { within } from "../../../src/platform/time-limit.ts";

test("work that ends in time gives its result, or its error", async () => {
  expect(await within(Promise.resolve("done"), 60_000)).toBe("done");
  await expect(within(Promise.reject(new Error("broken")), 60_000)).rejects.toThrow("broken");
});

test("work that takes longer is abandoned, and its later error is ignored", async () => {
  const late = sleep(5).then(() => Promise.reject(new Error("too late")));
  expect(await within(late, 0)).toBeNull();
  await late.catch(() => undefined);
});
