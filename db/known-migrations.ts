import { join } from "node:path";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { packageRoot } from "../src/platform/package-root.ts";

type Dialect = "pg" | "sqlite";

/** A database's schema compared with this program's; `foreign`: it is not a database of this program. */
export type SchemaAge = "newest" | "older" | "newer" | "foreign";

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
  if (!applied.includes(known[0]!)) return "foreign";
  if (applied.some((hash) => !known.includes(hash))) return "newer";
  return applied.length === known.length ? "newest" : "older";
}

/** Refuses a database that a newer program has migrated: this one would not keep the newer rules. @throws Error */
export function refuseNewer(dialect: Dialect, applied: readonly string[]): void {
  if (schemaAge(dialect, applied) !== "newer") return;
  throw new Error("A newer version of Beckon has changed the database. Start that version here, too.");
}
