import { importsLeadTo, testFiles } from "./test-files.ts";

/**
 * Test files of the quick tier: those that start no other program, be it a browser, a chain, a proxy, PostgreSQL or
 * Beckon itself, and that play no long random histories.
 */
export function quickTests(): string[] {
  const startsPrograms = importsLeadTo((_, text) => /from "(node:child_process|playwright-core)"/.test(text));
  return testFiles().filter((file) => !startsPrograms(file) && !LONG.some((folder) => file.startsWith(folder)));
}

/** Folders of tests that take long whatever they start, or that need what the whole run installs. */
const LONG = ["test/model/", "test/postgres/", "test/db/postgres/", "test/deploy/", "test/scripts/"];
