import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, testFiles } from "../support/checks/test-files.ts";
import { isLineOf, resultOf } from "./mutant.ts";
import { SUBJECTS } from "./subjects.ts";
import { SURVIVORS } from "./survivors.ts";

const files = Object.values(SUBJECTS).flatMap((subject) => subject.files);

test("law: every test of a subject exists, and no file belongs to two", () => {
  const tests = Object.values(SUBJECTS).flatMap((subject) => subject.tests);
  expect(tests.filter((name) => !testFiles().includes(name))).toEqual([]);
  expect(files.toSorted()).toEqual([...new Set(files)].sort());
});

test.each(files)("law: every line of %s that a named survivor changes is there", (file) => {
  const source = readFileSync(join(ROOT, file), "utf8");
  const named = Object.values(SURVIVORS[file] ?? {}).flat();
  expect(named.filter((name) => !isLineOf(name, source))).toEqual([]);
});

test("law: survivors are named for files that are changed", () => {
  expect(Object.keys(SURVIVORS).filter((file) => !files.includes(file))).toEqual([]);
});

test("a survivor is named by its line and its change; what timed out is killed, and told apart; what no test reached is not killed", () => {
  const location = (line: number, start: number, end: number) => ({
    start: { line, column: start },
    end: { line, column: end },
  });
  const source = "if (a) {\n  return b;\n}\n";
  const mutants = [
    { status: "Killed", replacement: "false", location: location(1, 5, 6) },
    { status: "Timeout", replacement: "true", location: location(1, 5, 6) },
    { status: "Ignored", replacement: "x", location: location(1, 5, 6) },
    { status: "Killed", statusReason: "Test timed out in 10000ms.", replacement: "!a", location: location(1, 5, 6) },
    { status: "Survived", replacement: "c", location: location(2, 10, 11) },
    { status: "NoCoverage", replacement: "{}", location: { ...location(1, 8, 0), end: { line: 3, column: 2 } } },
  ];
  expect(resultOf({ source, mutants })).toEqual({
    killed: 3,
    of: 5,
    survived: ["return b; | b => c", "if (a) { | { … => {}"],
    late: ["if (a) { | a => true", "if (a) { | a => !a"],
  });
});

test("of a long change its difference is named", () => {
  const text = `/${"a".repeat(40)}+${"b".repeat(100)}/`;
  const location = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 + text.length } };
  const mutant = { status: "Survived", replacement: text.replace("+", ""), location };
  const [name] = resultOf({ source: text, mutants: [mutant] }).survived;
  const [a, b] = ["a".repeat(15), "b".repeat(15)];
  expect(name).toBe(`${text.slice(0, 90)} | …${a}+${b}… => …${a}${b}…`);
  expect(isLineOf(name!, text)).toBe(true);
  expect(isLineOf(name!, `${text.slice(1)}\n`)).toBe(false);
});
