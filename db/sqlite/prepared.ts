import { Column, is, SQL } from "drizzle-orm";
import { noopDecoder } from "drizzle-orm/sql/sql";
import type { Preparable, Queries } from "../engine.ts";
import { preparedOver } from "../prepared.ts";
import type { Schema } from "../schema.ts";

type Values = Readonly<Record<string, unknown>>;
type Read = (value: unknown) => unknown;

/** A query that drizzle has prepared. */
interface DrizzleQuery {
  /** Rows as arrays of the database's values. */
  values(values: Values): readonly (readonly unknown[])[];
  /** The selected values; absent for a write that returns nothing. */
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: unknown }[];
}

/**
 * Prepared queries of drizzle, whose rows are made here: drizzle finds out for every value of every row how to read it, which takes
 * longer than reading it. What is not a list of plain values is left to drizzle.
 */
export function preparedOn(q: Queries, t: Schema) {
  return preparedOver(q, t, (query) => withRowReader(query as unknown as DrizzleQuery) ?? query);
}

function withRowReader<Row>(query: DrizzleQuery): ReturnType<Preparable<Row>["prepare"]> | null {
  const { fields } = query;
  if (!fields || fields.some(({ path }) => path.length !== 1)) return null;
  const rowOf = rowReader(fields.map(({ path, field }) => ({ name: path[0]!, read: readerOf(field) })));
  return { execute: (values) => query.values(values).map(rowOf) as Row[] };
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

/** Makes an object of a row. All have their properties in the same order, and so one shape. */
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
