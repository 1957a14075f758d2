import type Database from "better-sqlite3";
import { MOVED_TO_KEY } from "../moving/moved-to.ts";

/** The address that a database of this program was moved to, without a password; null: it was not moved. */
export function readMovedTo(db: Database.Database): string | null {
  const to = db.prepare("SELECT value FROM meta WHERE name = ?").pluck().get(MOVED_TO_KEY) as string | undefined;
  return to ?? null;
}
