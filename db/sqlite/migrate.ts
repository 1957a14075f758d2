import { closeSync, openSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type Database from "better-sqlite3";
import { formatNumber } from "../../src/platform/format.ts";
import { version } from "../../src/platform/version.ts";
import { knownMigrations, refuseUnknown, schemaState, stepOf } from "../known-migrations.ts";
import { copyOver, discard, flushDirectory, partialPath, timedPath } from "./copy.ts";
import { isBusy, openExclusive } from "./exclusive.ts";
import { appliedTo, readState, stateOf } from "./schema-state.ts";
import { useWriteAheadLog } from "./write-ahead-log.ts";

/** How long to wait for processes that only look at the schema, or migrate it themselves; and how often to look, in ms. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 20;
/** A service that runs on the file keeps it, so that waiting for long is of no use. */
const SERVICE_MS = 3_000;

/**
 * Migrates a SQLite file to the newest schema, in one transaction, while no other process has it open. A file that has a schema
 * already is copied first. Two processes that start at the same time apply each migration once.
 * @param onStep called with a sentence about each thing that was done
 * @throws Error when a newer program has migrated it, a version made it that was never released, it has another program's
 * tables, or another process uses it; nothing is changed then
 */
export function migrateSqlite(path: string, onStep: (step: string) => void = () => undefined): void {
  // Readable by its owner only: it holds password hashes and signing keys.
  closeSync(openSync(path, "a", 0o600));
  const startedAt = performance.now();
  for (;;) {
    const state = readState(path);
    // Opening it for the migration would change a refused file, too.
    refuseUnknown(state);
    if (state.age === "newest") return;
    try {
      const db = openExclusive(path, (opened) => migrateExclusively(opened, path, onStep));
      db.close();
      return;
    } catch (thrown) {
      const waited = performance.now() - startedAt;
      if (!isBusy((thrown as Error).cause) || waited > (state.age === "older" ? SERVICE_MS : PATIENCE_MS)) throw thrown;
    }
    // By chance, so that processes that wait for each other do not meet again.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * Math.random());
  }
}

function migrateExclusively(db: Database.Database, path: string, onStep: (step: string) => void): void {
  const { age } = stateOf(db);
  if (age === "older") copyBefore(db, path, onStep);
  // Twice the default, which makes large inserts quicker. It applies to a new file only.
  else if (age === "foreign") db.pragma("page_size = 8192");
  useWriteAheadLog(db);
  migrateOver(db, onStep);
}

/** Copies a database before its schema changes, to a file that says which version was about to change it. */
function copyBefore(db: Database.Database, path: string, onStep: (step: string) => void): void {
  const start = `${path}.before-${version}`;
  for (const name of readdirSync(dirname(path))) {
    // Of a migration that was ended while it copied.
    if (name.startsWith(`${basename(start)}.`) && name.includes(".part-")) discard(join(dirname(path), name));
  }
  const copy = timedPath(start);
  const part = partialPath(copy);
  const bytes = copyOver(db, part);
  renameSync(part, copy);
  flushDirectory(copy);
  onStep(`Copied the database to ${copy} (${formatNumber(bytes)} bytes) before its schema changes.`);
}

/** Migrates over an open connection, in one IMMEDIATE transaction. */
export function migrateOver(db: Database.Database, onStep: (step: string) => void = () => undefined): void {
  const steps: string[] = [];
  db.transaction(() => {
    const applied = appliedTo(db);
    refuseUnknown(schemaState("sqlite", applied));
    db.exec(
      "CREATE TABLE IF NOT EXISTS migrations (hash TEXT PRIMARY KEY, at INTEGER NOT NULL, version TEXT NOT NULL)",
    );
    const known = knownMigrations("sqlite");
    for (const [at, { hash, sql }] of known.entries()) {
      if (applied.some((one) => one.hash === hash)) continue;
      const startedAt = performance.now();
      for (const statement of sql) db.exec(statement);
      db.prepare("INSERT INTO migrations (hash, at, version) VALUES (?, ?, ?)").run(hash, Date.now(), version);
      steps.push(stepOf(at, known.length, startedAt));
    }
  }).immediate();
  steps.forEach(onStep);
}
