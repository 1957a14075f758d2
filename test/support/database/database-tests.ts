import { existsSync } from "node:fs";
import { join } from "node:path";
import { importsLeadTo, ROOT, testFiles } from "../checks/test-files.ts";
import { SQLITE_ONLY } from "./sqlite-only.ts";

/**
 * Test files whose imports lead to a database that is thrown away: what they test has to work on both dialects. Without
 * those that the dialect is nothing to.
 * @throws Error when one that is left out is not there
 */
export function databaseTests(): string[] {
  const needsDatabase = importsLeadTo((file) => file === "test/support/database/database.ts");
  return testFiles().filter((file) => needsDatabase(file) && !isLeftOut(file));
}

const LEFT_OUT = Object.values(SQLITE_ONLY)
  .flat()
  .map((name) => `test/${name}`);
const gone = LEFT_OUT.filter((name) => !existsSync(join(ROOT, name)));
if (gone.length > 0) throw new Error(`sqlite-only.ts leaves out what is not there: ${gone.join(", ")}`);

function isLeftOut(file: string): boolean {
  return LEFT_OUT.some((name) => file === name || (name.endsWith("/") && file.startsWith(name)));
}
