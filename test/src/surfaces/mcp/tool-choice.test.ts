import { expect, test } from "vitest";
import { TOOLSETS } from "../../../../src/contract/operation.ts";
import { toolList } from "../../../../src/surfaces/mcp/tools.ts";
import { PLAIN_TASKS } from "../../../support/mcp/plain-tasks.ts";
import { toolChoice } from "../../../support/mcp/tool-choice.ts";

const tools = toolList(() => true, new Set(TOOLSETS));
const choose = toolChoice(tools);

/** Pairs whose descriptions share the words of a task; a model tells them apart by what they say. More of them is worse. */
const MISTAKEN = 8;

test("law: each tool is asked for by a task in plain words that does not name it", () => {
  expect(PLAIN_TASKS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(PLAIN_TASKS.map(([, tool]) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
  expect(PLAIN_TASKS.filter(([task, tool]) => task.includes(tool))).toEqual([]);
});

test.each(PLAIN_TASKS)(
  "law: the words of the descriptions lead to the tool, among the first three: %s",
  (task, tool) => {
    const found = choose(task).slice(0, 3);
    expect(found.map(({ name }) => name)).toContain(tool);
  },
);

test(`law: of ${PLAIN_TASKS.length} tasks at most ${MISTAKEN} lead to the description of another tool first`, () => {
  const mistaken = PLAIN_TASKS.flatMap(([task, tool]) => {
    const [first] = choose(task);
    return first?.name === tool ? [] : [`${tool} is taken for ${first?.name}: ${task}`];
  });
  expect(mistaken.length, mistaken.join("\n")).toBeLessThanOrEqual(MISTAKEN);
});
