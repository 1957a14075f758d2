import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { expect, test } from "vitest";

/** A list that is cut to the size of a page. */
const CUT = /\.slice\(0, (?:\w+\.)?(?:limit|rows|most)\)/g;

/** Files that cut what no query of theirs could have limited. */
const CUT_ONLY: Readonly<Record<string, string>> = {
  "src/contract/shapes/link.ts": "the visits to one page, of which there is one for each crawler",
  "src/contract/shapes/link-facts.ts": "the crawls of one link, one for each look",
  "src/contract/shapes/report.ts": "groups of one project",
};

/** Files in which more is cut than queries are limited. */
const MORE_CUTS: Readonly<Record<string, string>> = {
  "src/domain/spending/report.ts": "sums by person and by spender, made of the rows of days",
};

async function cutting(): Promise<{ path: string; cuts: number; limits: number }[]> {
  const found = [];
  for await (const path of glob("{src/domain,src/indexing,src/contract,tools,a2a}/**/*.ts")) {
    const text = readFileSync(path, "utf8");
    const cuts = text.match(CUT)?.length ?? 0;
    if (cuts > 0) found.push({ path, cuts, limits: text.match(/\.limit\(/g)?.length ?? 0 });
  }
  return found;
}

test("law: what is cut to the size of a page was read with that limit by the database", async () => {
  const files = await cutting();
  expect(files.length).toBeGreaterThan(10);
  const paths = (meant: typeof files) => meant.map(({ path }) => path).sort();
  expect(paths(files.filter(({ limits }) => limits === 0))).toEqual(Object.keys(CUT_ONLY).sort());
  expect(paths(files.filter(({ cuts, limits }) => limits > 0 && cuts > limits))).toEqual(Object.keys(MORE_CUTS).sort());
});
