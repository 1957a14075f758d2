import { existsSync } from "node:fs";
import { refuseForeign, requireNewest } from "../known-migrations.ts";
import { MOVED_TO_KEY, movedMessage } from "../moving/moved-to.ts";
import type { MovedTable } from "../moving/tables.ts";
import { explainFileError, openExclusive } from "./exclusive.ts";
import { readMovedTo } from "./read-moved-to.ts";
import { stateOf } from "./schema-state.ts";

/** The SQLite database that is moved; no other program can read or write it until `close`. */
export interface Source {
  count(table: MovedTable): number;
  /** Rows in the order of the primary key, with SQLite's values. */
  rows(table: MovedTable): IterableIterator<unknown[]>;
  /** The highest number that the table's identity column has had. */
  lastNumber(table: MovedTable): number;
  /** Stores where the database was moved to, and commits. */
  markMoved(to: string): void;
  close(): void;
}

/**
 * Opens a file exclusively.
 * @throws Error when it is missing, in use or damaged, its schema is not the newest, or it was moved before
 */
export function openSource(path: string): Source {
  if (!existsSync(path)) {
    throw new Error(`There is no database at ${path}. If there is one elsewhere, name it with --from.`);
  }
  const db = openExclusive(path, (opened) => {
    const state = stateOf(opened);
    refuseForeign(state, path);
    if (state.age === "newer") throw new Error(`${path} was made by a newer version of Beckon. Move it with that one.`);
    requireNewest(state, path);
  });
  const close = () => {
    if (db.inTransaction) db.exec("ROLLBACK");
    db.close();
  };
  try {
    const moved = readMovedTo(db);
    if (moved !== null) throw new Error(movedMessage(path, moved));
    const damage = db.pragma("quick_check(1)", { simple: true });
    if (damage !== "ok") throw new Error(`${path} is damaged: ${damage}.`);
  } catch (thrown) {
    close();
    throw explainFileError(thrown, path);
  }
  return {
    count: ({ name }) => db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number,
    rows({ name, columns, key }) {
      const names = columns.map((column) => `"${column.name}"`).join(", ");
      const order = key.map((column) => `"${column.name}"`).join(", ");
      return db.prepare(`SELECT ${names} FROM "${name}" ORDER BY ${order}`).raw().iterate() as IterableIterator<
        unknown[]
      >;
    },
    lastNumber({ name, identity }) {
      if (identity === null) return 0;
      const given = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck().get(name) as
        | number
        | undefined;
      const taken = db.prepare(`SELECT max("${identity}") FROM "${name}"`).pluck().get() as number | null;
      return Math.max(given ?? 0, taken ?? 0);
    },
    markMoved(to) {
      db.prepare("INSERT INTO meta (name, value) VALUES (?, ?)").run(MOVED_TO_KEY, to);
      db.exec("COMMIT");
    },
    close,
  };
}
