import type Database from "better-sqlite3";
import { MOVED_TO } from "../moving/mark.ts";

/** Where a database of this program was moved to, without a password; null: it was not. */
export function movedTo(db: Database.Database): string | null {
  const to = db.prepare("SELECT value FROM meta WHERE name = ?").pluck().get(MOVED_TO) as string | undefined;
  return to ?? null;
}
