import { importsLeadTo } from "../checks/test-files.ts";

/**
 * Where the queries of the service are, and so the tests that run on both databases. What is above these rooms uses the
 * database through them, and is tested on SQLite.
 */
const ROOMS =
  /^test\/(?:db\/(?!sqlite\/|postgres\/)|model\/|src\/(?:contract|domain|indexing|process\/(?:doctor|metrics|scheduler))\/|src\/process\/housekeeping)/;

/**
 * What these hold does not depend on the database: what servers of others answer, what is read out of documents and payments, and
 * long histories of both. Every statement that they lead to runs on both databases in other tests, which queries-setup.ts holds.
 */
const ABOUT_OTHERS = new RegExp(
  `^test/src/(?:${[
    "domain/oauth/client-documents",
    "domain/payments/cards/checkout",
    "domain/payments/direct/(?:chain|facilitator|protocol)/",
    "domain/payments/third-method",
    "domain/webhooks/bad-receivers",
    "indexing/engines/live/",
    "indexing/watches/(?:bad-input|year-of-a-site)",
  ].join("|")})`,
);

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
