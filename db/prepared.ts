import type { Preparable, Prepared, Queries } from "./engine.ts";
import type { Schema } from "./schema.ts";

/** Keeps the prepared queries of one connection, by their names. */
export function preparedOver(q: Queries, t: Schema) {
  const kept = new Map<string, Prepared<unknown>>();
  return <Row>(name: string, build: (db: { q: Queries; t: Schema }) => Preparable<Row>): Prepared<Row> => {
    const known = kept.get(name);
    if (known) return known as Prepared<Row>;
    const query = build({ q, t }).prepare(name);
    const prepared: Prepared<Row> = { execute: async (values) => query.execute({ ...values }) };
    kept.set(name, prepared);
    return prepared;
  };
}
