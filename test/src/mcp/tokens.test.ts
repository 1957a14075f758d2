import { expect, test } from "vitest";
import { INSTRUCTIONS } from "../../../src/mcp/instructions.ts";
import { toolList } from "../../../src/mcp/tools.ts";

/** About four characters of JSON are a token of the current models. */
const TOKEN = 4;

test("what a model reads before its first call", () => {
  const sizes = toolList(() => true).map(({ outputSchema = {}, ...input }) => ({
    name: input.name,
    input: JSON.stringify(input).length,
    output: JSON.stringify(outputSchema).length,
  }));
  const sum = (field: "input" | "output") => sizes.reduce((total, size) => total + size[field], 0);
  const tokens = (characters: number) => Math.round(characters / TOKEN);
  // biome-ignore lint/suspicious/noConsole: the figure is what this test is for
  console.info(
    `tools/list: ${sizes.length} tools, about ${tokens(sum("input"))} tokens without output schemas, ` +
      `${tokens(sum("input") + sum("output"))} with; instructions ${tokens(INSTRUCTIONS.length)}`,
  );
  for (const { name, input } of sizes) expect(tokens(input), name).toBeLessThan(600);
});
