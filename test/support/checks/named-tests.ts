import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** A test file that a document names, with the titles that it names of it. */
export interface NamedTests {
  readonly file: string;
  readonly names: readonly string[];
}

/** Tests that a Markdown text names in the form `test/path.test.ts`: “a title”, “another one”. */
export function testsNamedIn(text: string): NamedTests[] {
  const line = text.replace(/\s+/g, " ");
  return [...line.matchAll(/`(test\/[\w./-]+)`:((?:,? “[^”]+”)+)/g)].map(([, file, names]) => ({
    file: file!,
    names: [...names!.matchAll(/“([^”]+)”/g)].map(([, name]) => name!),
  }));
}

/** What is named and is not there. A title has to begin one of the file's literals: what a table fills in follows after it. */
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
