import { importsLeadTo, testFiles } from "./test-files.ts";

/**
 * Lists the test files of the quick tier: those that start no other program (a browser, a chain, a proxy, PostgreSQL or
 * Beckon itself) and do not run the long random models.
 */
export function quickTests(): string[] {
  const startsPrograms = importsLeadTo((_, text) => /from "(node:child_process|playwright-core)"/.test(text));
  return testFiles().filter((file) => !startsPrograms(file) && !LONG.some((folder) => file.startsWith(folder)));
}

/** Folders of tests that take long without starting programs, or that need programs which only the full run installs. */
const LONG = ["test/model/", "test/postgres/", "test/db/postgres/", "test/deploy/", "test/scripts/"];
