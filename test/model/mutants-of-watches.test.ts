import { afterAll, beforeAll, expect, test } from "vitest";
import { MUTANTS_OF_WATCHES } from "./mutants-of-watches.ts";
import { type MutatedModel, mutatedModel } from "./mutated-model.ts";

let model: MutatedModel;
beforeAll(async () => {
  model = await mutatedModel(MUTANTS_OF_WATCHES);
}, 180_000);
afterAll(() => model?.close());

test.each(MUTANTS_OF_WATCHES)("mutant is caught by the play of $by: $name", { timeout: 180_000 }, async (mutant) => {
  const { code, output } = await model.play(mutant);
  expect(output).toContain("Property failed after");
  // A fault that cannot even run is no fault to find.
  expect(output).not.toMatch(/(Type|Reference|Syntax)Error/);
  expect(code).toBe(1);
});
