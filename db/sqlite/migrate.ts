import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { packageRoot } from "../root.ts";

/**
 * Brings a SQLite file to the newest schema. All of it in one IMMEDIATE transaction, so that two processes
 * starting at once apply each migration once.
 */
export function migrateSqlite(path: string): void {
  // Made for its owner alone: it holds hashes of passwords and the keys that sign.
  closeSync(openSync(path, "a", 0o600));
  const db = new Database(path, { timeout: 30_000 });
  try {
    // Twice the default: a quarter less work for 10,000 new links. Only a new file takes it up.
    db.pragma("page_size = 8192");
    db.pragma("journal_mode = WAL");
    migrateOver(db);
  } finally {
    db.close();
  }
}

/** The same over a connection that is open already. */
export function migrateOver(db: Database.Database): void {
  db.transaction(() => {
    db.exec("CREATE TABLE IF NOT EXISTS migrations (hash TEXT PRIMARY KEY, at INTEGER NOT NULL)");
    const applied = appliedTo(db);
    for (const { hash, sql } of ours()) {
      if (applied.has(hash)) continue;
      for (const statement of sql) db.exec(statement);
      db.prepare("INSERT INTO migrations (hash, at) VALUES (?, ?)").run(hash, Date.now());
    }
  }).immediate();
}

/** How a file's schema stands to this program's; `foreign`: it is no database of this program at all. */
export type SchemaAge = "newest" | "older" | "newer" | "foreign";

export function schemaAge(db: Database.Database): SchemaAge {
  if (!db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").get()) return "foreign";
  const applied = appliedTo(db);
  const known = ours().map(({ hash }) => hash);
  if (!applied.has(known[0]!)) return "foreign";
  if ([...applied].some((hash) => !known.includes(hash))) return "newer";
  return known.every((hash) => applied.has(hash)) ? "newest" : "older";
}

function appliedTo(db: Database.Database): Set<string> {
  return new Set(db.prepare("SELECT hash FROM migrations").pluck().all() as string[]);
}

function ours(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder: join(packageRoot, "db/migrations/sqlite") });
}
