import { existsSync } from "node:fs";
import { join } from "node:path";
import { importsLeadTo, ROOT, testFiles } from "../checks/test-files.ts";
import { SQLITE_ONLY } from "./sqlite-only.ts";

/**
 * Lists the test files that use a temporary database: what they test has to work on both dialects. Those of SQLITE_ONLY are
 * left out.
 * @throws Error if SQLITE_ONLY names a file that does not exist
 */
export function databaseTests(): string[] {
  const needsDatabase = importsLeadTo((file) => file === "test/support/database/database.ts");
  return testFiles().filter((file) => needsDatabase(file) && !isLeftOut(file));
}

const LEFT_OUT = Object.values(SQLITE_ONLY)
  .flat()
  .map((name) => `test/${name}`);
const gone = LEFT_OUT.filter((name) => !existsSync(join(ROOT, name)));
if (gone.length > 0) throw new Error(`sqlite-only.ts names files that do not exist: ${gone.join(", ")}`);

function isLeftOut(file: string): boolean {
  return LEFT_OUT.some((name) => file === name || (name.endsWith("/") && file.startsWith(name)));
}
