import { getTableColumns, sql, type Table } from "drizzle-orm";

/** A row with a placeholder of its own name for every column, for a prepared insert. */
export function placeholders<T extends Table>(table: T): T["$inferInsert"] {
  const names = Object.keys(getTableColumns(table));
  // drizzle accepts placeholders in place of values.
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as T["$inferInsert"];
}

/** `count` rows with a placeholder for every column except `id`, for a prepared insert; `namedRows` makes its values. */
export function placeholderRows<T extends Table>(table: T, count: number): T["$inferInsert"][] {
  const names = Object.keys(getTableColumns(table)).filter((name) => name !== "id");
  return Array.from(
    { length: count },
    (_, at) => Object.fromEntries(names.map((name) => [name, sql.placeholder(`${name}${at}`)])) as T["$inferInsert"],
  );
}

/** The values of rows by the names of their placeholders. */
export function namedRows(rows: readonly object[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    rows.flatMap((row, at) => Object.entries(row).map(([name, value]) => [`${name}${at}`, value])),
  );
}
