import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { packageRoot } from "./root.ts";

const known = new Map<string, ReadonlySet<string>>();

/** Whether a database that has these migrations has all that this version of the program knows, and no other. */
export function areThese(dialect: "pg" | "sqlite", applied: readonly string[]): boolean {
  const ours = known.get(dialect) ?? read(dialect);
  known.set(dialect, ours);
  return applied.length === ours.size && applied.every((hash) => ours.has(hash));
}

function read(dialect: "pg" | "sqlite"): ReadonlySet<string> {
  const folder = join(packageRoot, "db/migrations", dialect);
  return new Set(readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash));
}
