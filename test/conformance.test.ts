import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../db/root.ts";

/** A row of docs/conformance.md: a demand of a specification, and the tests that hold it. */
interface Row {
  readonly line: string;
  readonly held: readonly { readonly file: string; readonly names: readonly string[] }[];
}

const text = readFileSync(join(packageRoot, "docs/conformance.md"), "utf8");

function rowsIn(document: string): Row[] {
  const [applies = ""] = document.split(/^## What does not apply/m);
  const lines = applies.split("\n").filter((line) => /^\| (?!clause|-)/.test(line));
  return lines.map((line) => ({
    line,
    held: [...line.matchAll(/`(test\/[\w./-]+)`:((?:,? “[^”]+”)+)/g)].map(([, file, names]) => ({
      file: file!,
      names: [...names!.matchAll(/“([^”]+)”/g)].map(([, name]) => name!),
    })),
  }));
}

/** What is wrong with a row. A name has to begin one of the file's literals: what a table fills in follows after it. */
function problemsOf({ line, held }: Row): string[] {
  if (held.length === 0) return [`no test: ${line}`];
  return held.flatMap(({ file, names }) => {
    const path = join(packageRoot, file);
    if (!existsSync(path)) return [`${file} is gone`];
    const source = readFileSync(path, "utf8");
    return names
      .filter((name) => !['"', "`"].some((quote) => source.includes(`${quote}${name}`)))
      .map((name) => `${file} has no test “${name}”`);
  });
}

test("law: every demand is held by a test that exists", () => {
  const rows = rowsIn(text);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.flatMap(problemsOf)).toEqual([]);
});

test.each([
  ["| 1.1 | Something | |", "no test"],
  ["| 1.1 | Something | `test/gone.test.ts`: “a name” |", "test/gone.test.ts is gone"],
  [
    "| 1.1 | Something | `test/oauth.test.ts`: “access_denied: a person who declines”, “a test that no file has” |",
    "has no test “a test that no file has”",
  ],
])("a planted gap is found: %s", (line, problem) => {
  expect(rowsIn(`\n${line}\n`).flatMap(problemsOf).join()).toContain(problem);
});

test("each specification has a section, and so has what does not apply", () => {
  const numbers = ["6749", "7636", "7591", "7009", "8414", "8707", "9207", "9728", "8252", "6750", "9700"];
  for (const heading of [...numbers.map((number) => `RFC ${number}`), "auth.md", "What does not apply"])
    expect(text).toMatch(new RegExp(`^## ${heading}`, "m"));
});
