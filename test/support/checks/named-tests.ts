import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** A test file that a document names, with the titles of the tests that it names. */
export interface NamedTests {
  readonly file: string;
  readonly names: readonly string[];
}

/** Finds the tests that a Markdown text names, in the form `test/path.test.ts`: “a title”, “another one”. */
export function testsNamedIn(text: string): NamedTests[] {
  const line = text.replace(/\s+/g, " ");
  return [...line.matchAll(/`(test\/[\w./-]+)`:((?:,? “[^”]+”)+)/g)].map(([, file, names]) => ({
    file: file!,
    names: [...names!.matchAll(/“([^”]+)”/g)].map(([, name]) => name!),
  }));
}

/**
 * Finds named files and tests that do not exist. A title has to be the beginning of a string literal in the file: in the
 * title of a table of tests, placeholders follow it.
 * @returns one sentence for each
 */
export function missingTests(named: readonly NamedTests[]): string[] {
  return named.flatMap(({ file, names }) => {
    const path = join(packageRoot, file);
    if (!existsSync(path)) return [`${file} is gone`];
    const source = readFileSync(path, "utf8");
    return names
      .filter((name) => !['"', "`"].some((quote) => source.includes(`${quote}${name}`)))
      .map((name) => `${file} has no test “${name}”`);
  });
}
