import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "./files-below.ts";

/** The root of the repository. Read by the configuration of the test runner, which has no `import.meta.dirname`. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** All test files, by their paths in the repository. */
export function testFiles(): string[] {
  return filesBelow(join(ROOT, "test"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`)
    .sort();
}

/**
 * Makes a function that says whether a test file imports, directly or not, a file that matches. Only imports within `test/`
 * are followed: the sources never import tests.
 * @param matches called once for each file, with its path in the repository and its text
 */
export function importsLeadTo(matches: (file: string, text: string) => boolean): (file: string) => boolean {
  const known = new Map<string, boolean>();
  const leads = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    // False until the answer is known, which ends circular imports.
    known.set(file, false);
    const text = readFileSync(join(ROOT, file), "utf8");
    const found = matches(file, text) || importsOf(file, text).some(leads);
    known.set(file, found);
    return found;
  };
  return leads;
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/from "(\.[^"]+)"/g)]
    .map(([, path]) => join(dirname(file), path!))
    .filter((path) => path.startsWith("test/"));
}
