import { expect, test } from "vitest";
import { MemoryBudget } from "../../../../src/indexing/sitemap/memory-budget.ts";

test("503 unavailable: all reads together hold too much, until one releases its memory", () => {
  const [one, two] = [new MemoryBudget(), new MemoryBudget()];
  // Only its length counts: nothing of that size is held here.
  const large = "x".repeat(2 ** 28 - 100);
  one.take(large);
  two.take(large);
  expect(() => two.take(large)).toThrowError(
    expect.objectContaining({ code: "unavailable", headers: { "Retry-After": "10" } }),
  );
  one.release();
  two.take(large);
  two.release();
  two.release();
  new MemoryBudget().take("");
});
