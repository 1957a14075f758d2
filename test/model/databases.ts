import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Engine } from "../../db/engine.ts";
import { migrateSqlite } from "../../db/sqlite/migrate.ts";
import { openSqlite } from "../../db/sqlite/sqlite.ts";

/** A database that is used by one world after another: to empty one is far cheaper than to make one. */
export interface Scratch {
  readonly engine: Engine;
  empty(): void;
}

const idle: Scratch[] = [];

export function takeDatabase(): Scratch {
  return idle.pop() ?? newDatabase();
}

export function giveBack(database: Scratch): void {
  database.empty();
  idle.push(database);
}

function newDatabase(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "beckon-model-"));
  const path = join(folder, "model.db");
  migrateSqlite(path);
  const engine = openSqlite(path, { durable: false });
  const raw = new Database(path);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  // It refuses to empty the ledger. The triggers that refuse to change an entry, or to forge one, stay.
  raw.exec("DROP TRIGGER ledger_no_delete");
  const tables = raw.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const emptied = tables.filter((name) => name !== "migrations" && !name.startsWith("sqlite_"));
  const statements = emptied.map((name) => raw.prepare(`DELETE FROM ${name}`));
  const empty = raw.transaction(() => statements.forEach((statement) => void statement.run()));
  return { engine, empty: () => empty.immediate() };
}
