import type Database from "better-sqlite3";
import { Column, is, Param, Placeholder, SQL } from "drizzle-orm";
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

type Values = Readonly<Record<string, unknown>>;
type Read = (value: unknown) => unknown;

/**
 * Prepared queries of drizzle that run as statements of better-sqlite3. drizzle decides for every value of every row how to
 * read it; here that is decided once. What is not a list of plain values is left to drizzle.
 */
export function preparedOn(connection: Database.Database, q: Queries, t: Schema) {
  return preparedOver(q, t, (query) => asStatement(connection, query as unknown as DrizzleQuery) ?? query);
}

function asStatement<Row>(
  connection: Database.Database,
  query: DrizzleQuery,
): ReturnType<Preparable<Row>["prepare"]> | null {
  const { fields } = query;
  if (!fields || fields.some(({ path }) => path.length !== 1)) return null;
  const { sql, params } = query.getQuery();
  const statement = connection.prepare(plannedOnce(sql));
  const writers = params.map(writerOf);
  const rowOf = rowReader(fields.map(({ path, field }) => ({ name: path[0]!, read: readerOf(field) })));
  return {
    execute: (values) =>
      // `raw` is a state of the statement, which others may share.
      (statement.raw().all(...writers.map((write) => write(values))) as unknown[][]).map(rowOf) as Row[],
  };
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

/**
 * Makes an object of each row. All objects have their properties in the same order, so that the engine gives them one shape.
 */
function rowReader(fields: readonly { name: string; read: Read | null }[]) {
  return (row: readonly unknown[]): object => {
    const object: Record<string, unknown> = {};
    for (let at = 0; at < fields.length; at++) {
      const { name, read } = fields[at]!;
      object[name] = read ? read(row[at]) : row[at];
    }
    return object;
  };
}
