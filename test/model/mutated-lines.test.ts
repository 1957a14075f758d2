import { expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { MUTANTS_OF_WATCHES } from "./mutants-of-watches.ts";
import { mutated } from "./mutated-model.ts";

test.each([...MUTANTS, ...MUTANTS_OF_WATCHES])("law: the line that a mutant changes is there once: $name", (mutant) => {
  expect(mutated(mutant)).toContain(mutant.to);
});
