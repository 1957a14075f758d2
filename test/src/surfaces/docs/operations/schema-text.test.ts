import { expect, test } from "vitest";
import { defaultText, typeText } from "../../../../../src/surfaces/docs/operations/schema-text.ts";

test.each([
  [{ type: "string" }, "string"],
  [{ type: "string", minLength: 1, maxLength: 64 }, "string, 1 to 64 characters"],
  [{ type: "integer", minimum: 0, maximum: 100_000 }, "integer, 0 to 100,000"],
  [{ type: "integer", minimum: 0 }, "integer, at least 0"],
  [{ type: ["string", "null"] }, "string or null"],
  [{ type: "string", enum: ["a", "b"] }, "`a`, `b`"],
  [{ type: "number", enum: [0, 3] }, "`0`, `3`"],
  [{ const: "x" }, "`x`"],
  [{ anyOf: [{ type: "string" }, { type: "boolean" }] }, "string or boolean"],
  [
    { type: "array", minItems: 1, maxItems: 20_000, items: { type: "string", maxLength: 4_096 } },
    "array of string, at most 4,096 characters; 1 to 20,000 items",
  ],
  [{ type: "array", items: { type: "string" } }, "array of string"],
])("%j is %s", (schema, words) => {
  expect(typeText(schema)).toBe(words);
});

test("a default is written as JSON, and a missing one is empty", () => {
  expect([
    defaultText({ default: "any" }),
    defaultText({ default: false }),
    defaultText({ default: 0 }),
    defaultText({}),
  ]).toEqual(["`any`", "`false`", "`0`", ""]);
});
