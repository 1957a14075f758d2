import { getTableColumns, sql, type Table } from "drizzle-orm";

/** A row whose every column is named by itself, to be filled when the query is run. */
export function placeholders<T extends Table>(table: T): T["$inferInsert"] {
  const names = Object.keys(getTableColumns(table));
  // As drizzle takes them in place of values.
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as T["$inferInsert"];
}
