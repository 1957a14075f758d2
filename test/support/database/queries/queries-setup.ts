import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresTestsOf } from "../../checks/tiers.ts";
import { functionsWithQueries } from "./functions-with-queries.ts";

/** Law: after a run of all tests of PostgreSQL, every function of the service that makes statements has run there. */
export default function setup(): (() => void) | undefined {
  // Both projects of PostgreSQL have this setup, and one of them looks at what both have called.
  if (process.env.TEST_CALLS) return;
  const folder = mkdtempSync(join(tmpdir(), "beckon-calls-"));
  process.env.TEST_CALLS = join(folder, "calls");
  writeFileSync(process.env.TEST_CALLS, "");
  return () => {
    const called = new Set(readFileSync(join(folder, "calls"), "utf8").split("\n"));
    rmSync(folder, { recursive: true });
    if (!postgresTestsOf("all").every((file) => called.has(file))) return;
    const missing = functionsWithQueries().filter((one) => !called.has(one));
    if (missing.length === 0) return;
    // An error in this place does not fail the run by itself.
    process.exitCode = 1;
    throw new Error(
      `no test has run these on PostgreSQL; add one to the tests of their rooms, or name one FILE.both.test.ts:\n${missing.join("\n")}`,
    );
  };
}
