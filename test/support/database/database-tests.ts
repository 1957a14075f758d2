import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ANY_DIALECT } from "./any-dialect.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const SOURCE = join(root, "test/support/database/database.ts");

/**
 * Test files whose imports lead to a database that is thrown away: what they test has to work on both dialects. Without
 * those that the dialect is nothing to.
 * @throws Error when one that is left out is not there
 */
export function databaseTests(): string[] {
  const leads = new Map<string, boolean>([[SOURCE, true]]);
  const leadsThere = (file: string): boolean => {
    const known = leads.get(file);
    if (known !== undefined) return known;
    // Only the tests' own files: the sources never import them.
    leads.set(file, false);
    const found = importsOf(file).some((path) => path.startsWith(join(root, "test/")) && leadsThere(path));
    leads.set(file, found);
    return found;
  };
  return testFiles().filter((file) => leadsThere(join(root, file)) && !isLeftOut(file));
}

/** All test files, by their paths in the repository. */
export function testFiles(): string[] {
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`)
    .sort();
}

const LEFT_OUT = Object.values(ANY_DIALECT)
  .flat()
  .map((name) => `test/${name}`);
const gone = LEFT_OUT.filter((name) => !existsSync(join(root, name)));
if (gone.length > 0) throw new Error(`any-dialect.ts leaves out what is not there: ${gone.join(", ")}`);

function isLeftOut(file: string): boolean {
  return LEFT_OUT.some((name) => file === name || (name.endsWith("/") && file.startsWith(name)));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => join(dirname(file), path!));
}
