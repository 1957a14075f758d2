import type Database from "better-sqlite3";
import { Column, is, Param, Placeholder, SQL } from "drizzle-orm";
import { noopDecoder } from "drizzle-orm/sql/sql";
import type { Preparable, Queries } from "../engine.ts";
import { preparedOver } from "../prepared.ts";
import type { Schema } from "../schema.ts";

/** What drizzle knows of a query that it has prepared. */
interface DrizzleQuery {
  readonly query: { readonly sql: string; readonly params: readonly unknown[] };
  /** The selected values; absent for a write that returns nothing. */
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: unknown }[];
}

type Values = Readonly<Record<string, unknown>>;
type Read = (value: unknown) => unknown;

/**
 * Prepared queries of drizzle that run without it: it finds out anew for every value of every row how to read it, which takes
 * longer than reading it. What is not a list of plain values is left to drizzle.
 */
export function preparedOn(connection: Database.Database, q: Queries, t: Schema) {
  return preparedOver(q, t, (query) => compiled(connection, query as unknown as DrizzleQuery) ?? query);
}

function compiled<Row>(
  connection: Database.Database,
  { query, fields }: DrizzleQuery,
): ReturnType<Preparable<Row>["prepare"]> | null {
  if (!fields || fields.some(({ path }) => path.length !== 1)) return null;
  const statement = connection.prepare(query.sql);
  const params = query.params.map(writerOf);
  const rowOf = rowReader(fields.map(({ path, field }) => ({ name: path[0]!, read: readerOf(field) })));
  return {
    execute: (values) =>
      // `raw` is a state of the statement, which others may share.
      (statement.raw().all(...params.map((write) => write(values))) as unknown[][]).map(rowOf) as Row[],
  };
}

/** How a parameter follows from the named values. */
function writerOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value } = param;
  return (values) => encoder.mapToDriverValue(values[value.name]);
}

/** How a value of the database becomes one of the program; null: it is one. */
function readerOf(field: unknown): Read | null {
  const decoder = is(field, Column) ? field : is(field, SQL) ? decoderOf(field) : decoderOf((field as SQL.Aliased).sql);
  if (decoder === noopDecoder || decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => (value === null ? null : decoder.mapFromDriverValue(value));
}

function decoderOf(sql: SQL): { mapFromDriverValue(value: unknown): unknown } {
  return (sql as unknown as { decoder: { mapFromDriverValue(value: unknown): unknown } }).decoder;
}

/** A function that makes an object of a row. It has the names in its text, so that all objects have one shape. */
function rowReader(fields: readonly { name: string; read: Read | null }[]): (row: unknown[]) => object {
  const properties = fields.map(({ name, read }, at) => {
    return `${JSON.stringify(name)}: ${read ? `reads[${at}](row[${at}])` : `row[${at}]`}`;
  });
  const reads = fields.map(({ read }) => read);
  return new Function("reads", `return (row) => ({ ${properties.join(", ")} })`)(reads);
}
