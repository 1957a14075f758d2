import type Database from "better-sqlite3";
import { Column, getTableColumns, is, Param, Placeholder, SQL, sql, type Table } from "drizzle-orm";
import { noopDecoder } from "drizzle-orm/sql/sql";
import type { Preparable, Queries } from "../engine.ts";
import { preparedOver } from "../prepared.ts";
import type { Schema } from "../schema.ts";

/** A query that drizzle has prepared. */
interface DrizzleQuery {
  getQuery(): { readonly sql: string; readonly params: readonly unknown[] };
  /** The selected values; absent for a write that returns nothing. */
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: unknown }[];
}

type Prepare = (text: string) => Database.Statement;
type Values = Readonly<Record<string, unknown>>;
type Row = Record<string, unknown>;
type Fields = Readonly<Record<string, unknown>>;
type SelectedFields = Parameters<Queries["select"]>[0];
type Read = (value: unknown) => unknown;

/**
 * Prepared queries of drizzle that run as statements of better-sqlite3, which makes the rows: drizzle decides for every value of
 * every row where it belongs and how to read it, and here that is decided once. A query whose columns do not have the names of its
 * fields is left to drizzle: a nested selection, or the columns that a write returns.
 */
export function preparedOn(prepare: Prepare, q: Queries, t: Schema) {
  return preparedOver(withNames(q), t, (query) => asStatement(prepare, query as unknown as DrizzleQuery) ?? query);
}

function asStatement<Wanted>(prepare: Prepare, query: DrizzleQuery): ReturnType<Preparable<Wanted>["prepare"]> | null {
  const { fields } = query;
  if (!fields) return null;
  const { sql: text, params } = query.getQuery();
  const statement = prepare(plannedOnce(text));
  const columns = statement.columns();
  if (fields.some(({ path }, at) => path.length !== 1 || path[0] !== columns[at]!.name)) return null;
  const writers = params.map(writerOf);
  const readers = fields.flatMap(({ path, field }) => {
    const read = readerOf(field);
    return read ? [{ name: path[0]!, read }] : [];
  });
  return {
    execute(values) {
      const rows = statement.all(...writers.map((write) => write(values))) as Row[];
      for (const { name, read } of readers) for (const row of rows) row[name] = read(row[name]);
      return rows as Wanted[];
    },
  };
}

/** Builds queries whose columns have the names of the fields that are selected. */
function withNames(q: Queries): Queries {
  const select = (fields?: Fields) => {
    if (fields) return q.select(named(fields) as SelectedFields);
    return { from: (table: Table) => q.select(named(getTableColumns(table)) as SelectedFields).from(table as never) };
  };
  return Object.create(q, { select: { value: select } });
}

function named(fields: Fields): Fields {
  const asNamed = ([name, field]: [string, unknown]) => {
    if (is(field, Column)) return [name, sql`${field}`.mapWith(field).as(name)];
    return [name, is(field, SQL) ? field.as(name) : field];
  };
  return Object.fromEntries(Object.entries(fields).map(asNamed));
}

/**
 * SQLite plans a statement with ORDER BY or LEFT JOIN again for each new value of a parameter, in case another plan is better.
 * For a small query that takes longer than the query itself. A plus sign hides the value, and changes nothing else. drizzle
 * passes all values as parameters, so every question mark is a parameter.
 */
function plannedOnce(sql: string): string {
  return sql.replaceAll("?", "+?");
}

/** How a parameter follows from the named values. */
function writerOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value } = param;
  return (values) => encoder.mapToDriverValue(values[value.name]);
}

/** How a value of the database becomes a value of the program; null: it stays as it is. */
function readerOf(field: unknown): Read | null {
  const decoder = is(field, Column) ? field : is(field, SQL) ? decoderOf(field) : decoderOf((field as SQL.Aliased).sql);
  if (decoder === noopDecoder || decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => (value === null ? null : decoder.mapFromDriverValue(value));
}

function decoderOf(sql: SQL): { mapFromDriverValue(value: unknown): unknown } {
  return (sql as unknown as { decoder: { mapFromDriverValue(value: unknown): unknown } }).decoder;
}
