import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { knownMigrations, refuseUnknown, type SchemaAge, schemaAge } from "../known-migrations.ts";
import { useWriteAheadLog } from "./write-ahead-log.ts";

/**
 * Migrates a SQLite file to the newest schema, in one IMMEDIATE transaction, so that two processes that start at the same
 * time apply each migration once.
 * @throws Error when a newer program has migrated it, or a version made it that was never released; nothing is changed then
 */
export function migrateSqlite(path: string): void {
  // Readable by its owner only: it holds password hashes and signing keys.
  closeSync(openSync(path, "a", 0o600));
  const db = new Database(path, { timeout: 30_000 });
  try {
    // The pragmas would change a refused file, too.
    refuseUnknown("sqlite", appliedTo(db));
    // Twice the default, which makes large inserts quicker. It applies to a new file only.
    db.pragma("page_size = 8192");
    useWriteAheadLog(db);
    migrateOver(db);
  } finally {
    db.close();
  }
}

/** The same over an open connection. */
export function migrateOver(db: Database.Database): void {
  db.transaction(() => {
    const applied = appliedTo(db);
    refuseUnknown("sqlite", applied);
    db.exec("CREATE TABLE IF NOT EXISTS migrations (hash TEXT PRIMARY KEY, at INTEGER NOT NULL)");
    for (const { hash, sql } of knownMigrations("sqlite")) {
      if (applied.includes(hash)) continue;
      for (const statement of sql) db.exec(statement);
      db.prepare("INSERT INTO migrations (hash, at) VALUES (?, ?)").run(hash, Date.now());
    }
  }).immediate();
}

/** Compares the schema of any file with this program's. */
export function ageOf(db: Database.Database): SchemaAge {
  return schemaAge("sqlite", appliedTo(db));
}

/** Hashes of the migrations that a file has: none if it is new, or another program's. */
function appliedTo(db: Database.Database): string[] {
  const isOurs = db.prepare("SELECT 1 FROM pragma_table_info('migrations') WHERE name = 'hash'").get();
  return isOurs ? (db.prepare("SELECT hash FROM migrations").pluck().all() as string[]) : [];
}
