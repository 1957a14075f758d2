import type { MigrationMeta } from "drizzle-orm/migrator";
import { afterAll, beforeAll } from "vitest";
import { knownMigrations } from "../../../db/known-migrations.ts";
import { sqliteDatabase } from "./database.ts";

/** A migration that a later version could add, on either dialect. */
export const NEXT: MigrationMeta = {
  hash: "e".repeat(64),
  sql: ["CREATE TABLE next (id text)", "INSERT INTO next VALUES ('there')"],
  bps: true,
  folderMillis: 0,
};

/** While the tests of a file run, the program knows one migration more than the repository has. */
export function withNextMigration(): void {
  const known = (["sqlite", "pg"] as const).map((dialect) => knownMigrations(dialect) as MigrationMeta[]);
  beforeAll(async () => {
    // The database that others are copies of is made without it.
    await (await sqliteDatabase()).drop();
    for (const migrations of known) migrations.push(NEXT);
  });
  afterAll(() => {
    for (const migrations of known) migrations.pop();
  });
}
