import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/platform/package-root.ts";
import { type Source, sourcesIn } from "./support/checks/imports.ts";
import { missingTests, testsNamedIn } from "./support/checks/named-tests.ts";

const text = readFileSync(join(packageRoot, "docs/rules.md"), "utf8");

/** Each rule by its number, with what stands under its heading. */
const rules = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => [Number(/^(\d+)\. /.exec(section)?.[1]), section] as const),
);

/** A rule that is named by its number; group 1: how its document is named before it. */
const CITATION = /(docs\/rules\.md )?\b(rules?) (\d+)/gi;

/** What is wrong with the citations of a file. */
function wrongCitations({ path, text }: Source): string[] {
  // A citation may be broken over two lines of a comment.
  const line = text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, " ");
  return [...line.matchAll(CITATION)].flatMap(([cited, document, word, number]) => {
    if (document === undefined || word !== "rule")
      return [`${path} says "${cited}": cite it as "docs/rules.md rule ${number}", each rule by itself`];
    if (!rules.has(Number(number)))
      return [
        `${path} cites rule ${number}: docs/rules.md has none of that number, write it there or correct the number`,
      ];
    return [];
  });
}

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(packageRoot, "docs")).map((name) => `docs/${name}`),
]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(join(packageRoot, path), "utf8") }));
const sources = sourcesIn("src", "tools", "rest", "a2a", "db", "test", "scripts", "bench", "demo").filter(
  ({ path }) => path !== "test/rules.test.ts",
);

test("law: every citation of a rule leads to a rule that exists", () => {
  expect([...sources, ...documents].flatMap(wrongCitations)).toEqual([]);
});

test("rules are cited by the code that keeps them", () => {
  const cited = sources.flatMap((source) => [...source.text.matchAll(/docs\/rules\.md rule (\d+)/g)]);
  expect(cited.length).toBeGreaterThan(30);
  expect(new Set(cited.map(([, number]) => number)).size).toBeGreaterThan(12);
});

test("law: the numbers of the rules have no gap", () => {
  expect([...rules.keys()]).toEqual(Array.from({ length: rules.size }, (_, i) => i + 1));
  expect(rules.size).toBeGreaterThanOrEqual(18);
});

test.each([...rules])("rule %i is held by tests that exist", (_, section) => {
  const held = testsNamedIn(section.split("Held by:\n")[1] ?? "");
  expect(held.length, "name a test under “Held by:”").toBeGreaterThan(0);
  expect(missingTests(held), "correct the path or the title in docs/rules.md").toEqual([]);
});

test.each([
  ["/** Slots of a drip (rule 4). */", 'says "rule 4": cite it as "docs/rules.md rule 4"'],
  ["// docs/rules.md rules 5 and 7", 'says "docs/rules.md rules 5": cite it as "docs/rules.md rule 5"'],
  ["// as decisions.md rule 1 has it", 'says "rule 1": cite it'],
  ["/**\n * As it stands in docs/rules.md\n * rule 99.\n */", "cites rule 99: docs/rules.md has none of that number"],
])("a planted citation is found: %j", (text, problem) => {
  expect(wrongCitations({ path: "src/x.ts", text }).join()).toContain(problem);
});

test("a citation broken over two lines is found", () => {
  expect(wrongCitations({ path: "src/x.ts", text: "/**\n * The pipeline (docs/rules.md\n * rule 10).\n */" })).toEqual(
    [],
  );
});
