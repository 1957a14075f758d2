import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHECK_DAYS } from "../../../src/platform/check-days.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** Where a day may stand: what is generated, the terms of another service, and what was decided at a time. */
const APART =
  /^(CHANGELOG\.md|packages\/client\/src\/generated\/|src\/contract\/example-responses\.ts|src\/indexing\/engines\/live\/submit\/)/;

const files = execFileSync("git", ["ls-files", "src", "tools", "rest", "a2a", "packages", "skills", "docs", "*.md"], {
  cwd: packageRoot,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => /\.(tsx?|mjs|md)$/.test(path) && !APART.test(path));

/** Sentences that say a day of a check by itself. The titles of tests, in “quotes”, and what is generated are left out. */
function daysIn(text: string): string[] {
  const own = text
    .replace(/“[^”]*”/g, "")
    .replace(/<!-- generated: \w+ -->[\s\S]*?<!-- end -->/g, "")
    .replace(/<!-- \w+ -->\d+<!-- end -->/g, "");
  const days = Object.values(CHECK_DAYS).join("|");
  return [...own.matchAll(new RegExp(`.*\\bday (?:${days})\\b.*`, "gi"))].map(([line]) => line.trim());
}

test("law: no sentence says the day of a check by itself", () => {
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((path) =>
    daysIn(readFileSync(`${packageRoot}/${path}`, "utf8")).map((line) => `${path}: ${line}`),
  );
  expect(found.join("\n"), "take it from CHECK_DAYS").toBe("");
});

test("a planted day is found", () => {
  const planted = `It is checked on day ${CHECK_DAYS.final}.`;
  expect(daysIn(planted)).toEqual([planted]);
  expect(daysIn(`on day <!-- final_check_day -->${CHECK_DAYS.final}<!-- end -->`)).toEqual([]);
});
