import { importsLeadTo } from "../checks/test-files.ts";

/**
 * Where the queries of the service are, and so the tests that run on both databases. What is above these rooms uses the
 * database through them, and is tested on SQLite.
 */
const ROOMS =
  /^test\/(?:db\/(?!sqlite\/|postgres\/)|model\/|src\/(?:contract|domain|indexing|process\/(?:doctor|metrics|scheduler))\/|src\/process\/housekeeping)/;

/** What these say to servers of others. No statement is made in these rooms, and those below are tested on both databases. */
const ABOUT_OTHERS =
  /^test\/src\/(?:domain\/payments\/direct\/(?:chain|facilitator)\/|indexing\/engines\/live\/(?:lookup\/|submit\/|bing))/;

/** A test of what is above, or of whole processes, that needs both databases. */
const MARKED = /\.both\.test\.ts$/;

const ON_POSTGRES_ALONE = /^test\/(?:db\/)?postgres\//;

/** The tests that run on SQLite: all but what PostgreSQL alone has. */
export function sqliteTests(files: readonly string[]): string[] {
  return files.filter((file) => !ON_POSTGRES_ALONE.test(file));
}

/** The tests that run on PostgreSQL. Tests of rooms without a database would say there what they say on SQLite. */
export function postgresTests(files: readonly string[]): string[] {
  const usesDatabase = importsLeadTo((file) => file === "test/support/database/database.ts");
  return files.filter(
    (file) =>
      ON_POSTGRES_ALONE.test(file) ||
      MARKED.test(file) ||
      (ROOMS.test(file) && !ABOUT_OTHERS.test(file) && usesDatabase(file)),
  );
}
