import { createHash } from "node:crypto";
import type { MovedColumn, MovedTable } from "./tables.ts";

/** A value in the form that is compared and checksummed on both sides: bytes as in PostgreSQL (`\x00ff`), numbers whole. */
export type Value = string | number | boolean | null;
export type Row = Value[];

const RANGES = {
  smallint: 2 ** 15,
  integer: 2 ** 31,
  // The range in which JavaScript counts exactly; times, ids and counts are far below.
  bigint: 2 ** 53,
} as const;

/**
 * Converts a row of SQLite, whose columns may hold values of any type, to the row of PostgreSQL that it becomes; in place.
 * @throws Error naming the table, the column and the row that cannot be moved as they are
 */
export function canonicalRow(table: MovedTable, row: unknown[]): Row {
  const { columns } = table;
  for (let at = 0; at < columns.length; at++) {
    const value = row[at];
    const { kind } = columns[at]!;
    if (value === null) continue;
    if (kind === "text") {
      if (typeof value !== "string") refuse(table, row, at, "is no text");
      if (value.includes("\0")) refuse(table, row, at, "holds a NUL character, which PostgreSQL does not take");
    } else if (kind === "bytea") {
      if (!Buffer.isBuffer(value)) refuse(table, row, at, "is not made of bytes");
      row[at] = `\\x${value.toString("hex")}`;
    } else if (kind === "boolean") {
      if (value !== 0 && value !== 1) refuse(table, row, at, "is neither 0 nor 1");
      row[at] = value === 1;
    } else {
      const limit = RANGES[kind];
      if (!Number.isInteger(value)) refuse(table, row, at, "is no whole number");
      if ((value as number) >= limit || (value as number) < -limit) refuse(table, row, at, `is no ${kind}`);
    }
  }
  return row as Row;
}

function refuse(table: MovedTable, row: unknown[], at: number, why: string): never {
  const key = table.key.map(
    ({ name }) => `${name} = ${shown(row[table.columns.findIndex((one) => one.name === name)])}`,
  );
  throw new Error(
    `Table ${table.name}, row with ${key.join(", ")}: the column ${table.columns[at]!.name} ${why}. Nothing was moved; mend the row, then run this again.`,
  );
}

/** A key as it can be shown in a terminal: it may be a stranger's text, so it is shortened and escaped. */
function shown(value: unknown): string {
  const text = Buffer.isBuffer(value) ? value.toString("hex") : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Approximate bytes of a row, for the size of batches. */
export function sizeOf(row: Row): number {
  let size = 0;
  for (const value of row) size += typeof value === "string" ? value.length : 8;
  return size;
}

/** SHA-256 over the rows of a table in the order of its primary key. */
export class Checksum {
  readonly #hash = createHash("sha256");
  rows = 0;

  constructor(columns: readonly MovedColumn[]) {
    this.#hash.update(`${JSON.stringify(columns.map(({ name, kind }) => [name, kind]))}\n`);
  }

  add(batch: readonly Row[]): void {
    this.rows += batch.length;
    let text = "";
    for (const row of batch) text += `${JSON.stringify(row)}\n`;
    this.#hash.update(text);
  }

  /** The checksum in hex; nothing can be added afterwards. */
  end(): string {
    return this.#hash.digest("hex");
  }
}
