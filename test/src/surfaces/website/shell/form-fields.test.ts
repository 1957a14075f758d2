import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Refusal } from "../../../../../src/platform/errors/errors.ts";
import {
  FieldOf,
  type FormFields,
  presetsOf,
  problemsIn,
  typedIn,
} from "../../../../../src/surfaces/website/shell/form-fields.tsx";
import type { FormPost } from "../../../../../src/surfaces/website/shell/page-request.ts";

const FIELDS = {
  most: {
    kind: "line",
    label: "At most",
    input: "most_per_run",
    preset: "100",
    maxLength: 5,
    problem: "Give a number.",
  },
  paths: { kind: "lines", label: "Only these", preset: "", rows: 4, hint: "One a line." },
  every: { kind: "choice", label: "Read it", preset: "day", words: { hour: "every hour", day: "every day" } },
  stop: { kind: "tick", label: "Stop", preset: false },
} as const satisfies FormFields;

const TYPED = { most: "many", paths: "/blog/*\n\n  nonsense  ", every: "hour", stop: true } as const;

function posted(values: Readonly<Record<string, string>>): FormPost {
  return { field: (name: string) => values[name] ?? "" } as FormPost;
}

function refused(...issues: { path: string; message: string }[]) {
  return problemsIn(FIELDS, TYPED, new Refusal("invalid_request", "It is wrong.", { issues }));
}

test("a form that nobody has filled in shows its presets", () => {
  expect(presetsOf(FIELDS)).toEqual({ most: "100", paths: "", every: "day", stop: false });
});

test("what was sent is read without the blanks around it; a word that is no choice is the preset", () => {
  expect(typedIn(FIELDS, posted({ most: " 7 ", paths: "\n/a\n", every: "constructor", stop: "yes" }))).toEqual({
    ...{ most: "7", paths: "/a", every: "day", stop: true },
  });
  expect(typedIn(FIELDS, posted({}))).toEqual({ most: "", paths: "", every: "day", stop: false });
});

test("each reason of a refusal stands at the field that it is about, in the words of the form", () => {
  const { problems, status } = refused(
    { path: "most_per_run", message: "expected number" },
    { path: "paths[1]", message: "no pattern" },
  );
  expect(problems).toEqual({ most: "Give a number.", paths: "“nonsense”: no pattern." });
  expect(status).toBe(400);
});

test("a refusal that is about no field is shown above the form", () => {
  expect(refused({ path: "other", message: "wrong" }).problems).toEqual({ form: "It is wrong." });
});

test("what is no refusal is thrown on", () => {
  expect(() => problemsIn(FIELDS, TYPED, new TypeError("bug"))).toThrow("bug");
});

test("a field shows what was typed, and a screen reader is told what is wrong with it", () => {
  const show = (name: keyof typeof FIELDS) =>
    renderToString(
      h(FieldOf<typeof FIELDS>, { fields: FIELDS, name, typed: TYPED, problems: { most: "Give a number." } }),
    );
  expect(show("most")).toContain('value="many"');
  expect(show("most")).toContain('aria-describedby="most-problem"');
  expect(show("paths")).toContain("nonsense");
  expect(show("every")).toMatch(/value="hour"[^>]*checked|checked[^>]*value="hour"/);
  expect(show("stop")).toContain("checked");
});
