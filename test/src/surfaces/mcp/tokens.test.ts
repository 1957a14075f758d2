import { encode } from "gpt-tokenizer";
import { expect, test } from "vitest";
import { TOOLSETS } from "../../../../src/contract/operation.ts";
import { instructionsOf } from "../../../../src/surfaces/mcp/instructions.ts";
import { toolList } from "../../../../src/surfaces/mcp/tools.ts";

const INSTRUCTIONS = instructionsOf(() => true);

/** What a model reads before its first call, in tokens of o200k. */
const BUDGET = 7_500;
const BUDGET_OF_TOOL = 900;

const tokens = (value: unknown) => encode(JSON.stringify(value)).length;

test(`the list that is not asked for is at most ${BUDGET} tokens`, () => {
  const tools = toolList(() => true);
  const shares = tools
    .map((tool) => ({ tool, all: tokens(tool) }))
    .sort((a, b) => b.all - a.all)
    .map(({ tool, all }) => `${tool.name}: ${all}, of it answers ${tokens(tool.outputSchema ?? {})}`);
  expect(tokens({ tools }), `each tool's share:\n${shares.join("\n")}\n`).toBeLessThanOrEqual(BUDGET);
});

test.each(toolList(() => true, new Set(TOOLSETS)).map((tool) => ({ tool, name: tool.name })))(
  `law: a tool is at most ${BUDGET_OF_TOOL} tokens: $name`,
  ({ tool }) => {
    expect(tokens(tool)).toBeLessThanOrEqual(BUDGET_OF_TOOL);
  },
);

test("the instructions are at most 300 tokens", () => {
  expect(encode(INSTRUCTIONS).length).toBeLessThanOrEqual(300);
});
