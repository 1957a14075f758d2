import Database from "better-sqlite3";
import { movedTables } from "../../../db/moving/tables.ts";

/** Text that is often escaped wrongly: quotes, backslashes, "NULL", braces, characters beyond 16 bits. */
const TEXTS = [
  "",
  'a"b\\c',
  "NULL",
  "{x,y}",
  "日本 😀 ß",
  "line\nline\ttab",
  "\\x00",
  "true",
  "Ähre",
  "zebra",
  "Zebra",
  "a",
];
const BYTES = [Buffer.alloc(0), Buffer.from([0]), Buffer.from([0, 255, 92, 34]), Buffer.alloc(3_000, 7)];

/**
 * Adds rows to every table of a SQLite file, with values of every kind that the columns accept. The rows make no sense to
 * the service: the file is for copying.
 */
export function fillTables(path: string, rows = 12): void {
  const db = new Database(path);
  try {
    const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as Trigger[];
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    for (const { name, columns, key, identity } of movedTables()) {
      const own = columns.filter((column) => column.name !== identity);
      const notNull = new Set(
        (db.pragma(`table_info(${name})`) as { name: string; notnull: number; pk: number }[])
          .filter(({ notnull, pk }) => notnull === 1 || pk > 0)
          .map((column) => column.name),
      );
      const insert = db.prepare(
        `INSERT INTO "${name}" (${own.map((column) => `"${column.name}"`).join(", ")}) VALUES (${own.map(() => "?").join(", ")})`,
      );
      for (let n = 0; n < rows; n++) {
        insert.run(
          own.map((column, at) => {
            const isKey = key.includes(column);
            if (!isKey && !notNull.has(column.name) && (n + at) % 3 === 0) return null;
            // Different in each row: the column may have to be unique, alone or with others.
            return anyOf(column.kind, n, at);
          }),
        );
      }
      if (identity === null) continue;
      db.prepare(`DELETE FROM "${name}" WHERE "${identity}" = (SELECT max("${identity}") FROM "${name}")`).run();
    }
    for (const { sql } of triggers) db.exec(sql);
  } finally {
    db.close();
  }
}

interface Trigger {
  readonly name: string;
  readonly sql: string;
}

function anyOf(kind: string, n: number, at: number): string | number | Buffer {
  const choice = n + at;
  if (kind === "text") return `${TEXTS[choice % TEXTS.length]}${n}`;
  if (kind === "bytea") return BYTES[choice % BYTES.length]!;
  if (kind === "boolean") return choice % 2;
  const most = { smallint: 2 ** 15, integer: 2 ** 31, bigint: 2 ** 53 }[kind as "bigint"];
  return n % 4 === 0 ? most - 1 - n : n % 4 === 1 ? -n : n * 1_000 + 9_007 + at;
}
