import { expect, test } from "vitest";
import { fill } from "../../../../src/surfaces/docs/template.ts";

test("a placeholder becomes its text, however often it stands there, and a text is filled once", () => {
  expect(fill("Day {{day}}, and day {{day}}: {{word}}", { day: "14", word: "{{day}}" })).toBe(
    "Day 14, and day 14: {{day}}",
  );
});

test.each([
  ["true", { is: true }, "yes"],
  ["a text", { is: "x" }, "yes"],
  ["false", { is: false }, "no"],
  ["an empty text", { is: "" }, "no"],
])("of two sections with %s, one stays", (_what, values, left) => {
  expect(fill("{{#is}}yes{{/is}}{{^is}}no{{/is}}", values)).toBe(left);
});

test("a section within another one stays if both stay", () => {
  const text = "{{#a}}a{{^b}}, not b{{/b}}{{#b}}, b{{/b}}{{/a}}";
  expect(fill(text, { a: true, b: false })).toBe("a, not b");
  expect(fill(text, { a: false, b: true })).toBe("");
});

test("a section on lines of its own leaves no empty lines", () => {
  const text = "one\n\n{{#is}}\ntwo\n\n{{/is}}\nthree\n- a\n{{#is}}\n- b\n{{/is}}\n- c\n";
  expect(fill(text, { is: true })).toBe("one\n\ntwo\n\nthree\n- a\n- b\n- c\n");
  expect(fill(text, { is: false })).toBe("one\n\nthree\n- a\n- c\n");
});

test("braces of other languages are no placeholders", () => {
  const text = 'api-key: {{ secrets.KEY }}\n{"a":{"b":{}}}';
  expect(fill(text, {})).toBe(text);
});

test.each([
  ["a placeholder without a value", "{{day}}", {}, "There is no value for day."],
  ["a name that every object has", "{{constructor}}", {}, "There is no value for constructor."],
  ["a placeholder in a section that is left out", "{{#is}}{{day}}{{/is}}", { is: false }, "There is no value for day."],
  ["a value without a placeholder", "text", { day: "14" }, "There is no placeholder for day."],
  ["a section that does not end", "{{#is}}text", { is: true }, "{{#is}} begins or ends nothing."],
  ["a section that does not begin", "text{{/is}}", { is: true }, "{{/is}} begins or ends nothing."],
  ["a yes or no in place of a text", "{{is}}", { is: true }, "{{is}} is no text."],
])("refused: %s", (_what, text, values, message) => {
  expect(() => fill(text, values)).toThrow(message);
});

test("what several texts share may be used, or not", () => {
  expect(fill("{{day}}", {}, { day: "14", other: "15" })).toBe("14");
});
