import { afterAll, beforeAll, expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { type MutatedModel, mutatedModel } from "./mutated-model.ts";

let model: MutatedModel;
beforeAll(async () => {
  model = await mutatedModel(MUTANTS);
}, 180_000);
afterAll(() => model?.close());

test.each(MUTANTS)("mutant is caught by the play of $by: $name", { timeout: 180_000 }, async (mutant) => {
  const { code, output } = await model.play(mutant);
  expect(output).toContain("Property failed after");
  // A fault that cannot even run is no fault to find.
  expect(output).not.toMatch(/(Type|Reference|Syntax)Error/);
  expect(code).toBe(1);
});
