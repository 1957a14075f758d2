import { existsSync } from "node:fs";
import { join } from "node:path";
import { importsLeadTo, ROOT, testFiles } from "./test-files.ts";

/**
 * Lists the test files of the quick tier: those that start no other program (a browser, a chain, a proxy, PostgreSQL or
 * Beckon itself) and are not left out below.
 */
export function quickTests(): string[] {
  const startsPrograms = importsLeadTo(
    (file, text) => file === COMMAND || /from "(node:child_process|playwright-core)"/.test(text),
  );
  return testFiles().filter((file) => !startsPrograms(file) && !SLOW.some((name) => file.startsWith(name)));
}

/** Says how to start `beckon`, which an SDK does in some tests. */
const COMMAND = "test/support/service/beckon-command.ts";

/** Test files and folders that only the full run has; the heading says why. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  "they need programs that only the full run installs": ["deploy/", "postgres/", "db/postgres/", "scripts/"],
  "they run thousands of random histories or read thousands of random documents": [
    "model/",
    "a2a/bindings/fuzz.test.ts",
    "src/indexing/sitemap/fuzz.test.ts",
    "src/indexing/sitemap/hostile.test.ts",
    "src/platform/lists/lists.fuzz.test.ts",
    "src/platform/urls/urls.fuzz.test.ts",
  ],
  "they compare our code with an SDK on many inputs": ["differential/"],
  "they load clients of others, which takes seconds": ["clients/"],
  "they start a whole service in every test and wait until it has stopped": [
    "src/process/bulk/",
    "src/process/service.test.ts",
    "src/process/tracing/otlp.test.ts",
  ],
  "they repeat over every surface, with large inputs, what the tests of each part show": [
    "live.both.test.ts",
    "sitemaps.test.ts",
  ],
  "they compile Solidity": ["contracts/"],
};

const SLOW = Object.values(LEFT_OUT)
  .flat()
  .map((name) => `test/${name}`);
const missing = SLOW.filter((name) => !existsSync(join(ROOT, name)));
if (missing.length > 0) throw new Error(`quick-tests.ts leaves out files that do not exist: ${missing.join(", ")}`);
