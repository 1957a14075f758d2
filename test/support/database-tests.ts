import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const SOURCE = join(root, "test/support/database.ts");

/** Test files whose imports lead to a database that is thrown away: what they test works on both dialects. */
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
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(root, "test", name))
    .filter(leadsThere)
    .map((file) => relative(root, file))
    .sort();
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => join(dirname(file), path!));
}
