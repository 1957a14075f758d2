import type { MigrationMeta } from "drizzle-orm/migrator";

type Migrator = typeof import("drizzle-orm/migrator");

/** A migration that a later version could add, on either dialect. */
export const NEXT: MigrationMeta = {
  hash: "e".repeat(64),
  sql: ["CREATE TABLE next (id text)", "INSERT INTO next VALUES ('there')"],
  bps: true,
  folderMillis: 0,
};

/**
 * What takes the place of drizzle-orm/migrator, so that the program knows one migration more than the repository has. This file
 * imports nothing, since whatever imports the database waits for it.
 */
export function withNextMigration({ readMigrationFiles, ...others }: Migrator): Migrator {
  return { ...others, readMigrationFiles: (config) => [...readMigrationFiles(config), NEXT] };
}
