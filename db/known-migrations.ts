import { join } from "node:path";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { packageRoot } from "../src/platform/package-root.ts";

type Dialect = "pg" | "sqlite";

/**
 * A database's schema compared with this program's. `unreleased`: a version that was never released made it; `foreign`: it is
 * not a database of this program.
 */
export type SchemaAge = "newest" | "older" | "newer" | "unreleased" | "foreign";

const read = new Map<Dialect, readonly MigrationMeta[]>();

/** The migrations that this version of the program knows, first to last. */
export function knownMigrations(dialect: Dialect): readonly MigrationMeta[] {
  const folder = join(packageRoot, "db/migrations", dialect);
  const known = read.get(dialect) ?? readMigrationFiles({ migrationsFolder: folder });
  read.set(dialect, known);
  return known;
}

/** @param applied hashes of the migrations that a database has */
export function schemaAge(dialect: Dialect, applied: readonly string[]): SchemaAge {
  const known = knownMigrations(dialect).map(({ hash }) => hash);
  // Every released version begins with the same migration, since a released one is never changed.
  if (!applied.includes(known[0]!)) return applied.some(isHash) ? "unreleased" : "foreign";
  if (applied.some((hash) => !known.includes(hash))) return "newer";
  return applied.length === known.length ? "newest" : "older";
}

/** Whether it is a SHA-256, as our migrations are recorded: another program's table of the same name holds something else. */
function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * Refuses a database that a newer program has migrated, because this program does not know its rules. Also refuses one of a
 * version that was never released, because this program cannot read it.
 * @throws Error that says what to do
 */
export function refuseUnknown(dialect: Dialect, applied: readonly string[]): void {
  const age = schemaAge(dialect, applied);
  if (age === "unreleased") throw new Error(unreleased("The database"));
  if (age === "newer") {
    throw new Error("A newer version of Beckon has changed the database. Start that version here, too.");
  }
}

/** Refuses a file that no released version has made. @throws Error that says so */
export function refuseForeign(age: SchemaAge, path: string): void {
  if (age === "foreign") throw new Error(`${path} is no database of Beckon.`);
  if (age === "unreleased") throw new Error(unreleased(path));
}

/** @param what the database, as the subject of the sentence */
function unreleased(what: string): string {
  return `${what} was made by a development version of Beckon before 0.2.0, of which none was released, and this version cannot read it. Start with a new database: set DATABASE_URL to another file or database. Keep the old one, or export its data with the program that made it.`;
}
