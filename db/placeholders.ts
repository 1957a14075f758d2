import { getTableColumns, sql, type Table } from "drizzle-orm";

/** A row with a placeholder of its own name for every column, for a prepared insert. */
export function placeholders<T extends Table>(table: T): T["$inferInsert"] {
  const names = Object.keys(getTableColumns(table));
  // drizzle accepts placeholders in place of values.
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as T["$inferInsert"];
}
