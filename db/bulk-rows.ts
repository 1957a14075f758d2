import { getTableColumns, type SQL, sql, type Table } from "drizzle-orm";

/** The name of the parameter of `Reader.rowsOf`. */
export const ROWS = "rows";

/** A SELECT of the columns of a table, in their order. @param read the value of a column, by its property */
export function selectOf(table: Table, read: (property: string, type: "text" | "integer") => SQL): SQL {
  const values = Object.entries(getTableColumns(table)).map(([property, { dataType }]) =>
    read(property, dataType === "number" ? "integer" : "text"),
  );
  return sql`SELECT ${sql.join(values, sql`, `)}`;
}
