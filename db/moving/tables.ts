import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import { schema } from "../schema.pg.ts";

/** What a value may be, by the type of its column in PostgreSQL. */
const KINDS = ["text", "bigint", "integer", "smallint", "boolean", "bytea"] as const;
type Kind = (typeof KINDS)[number];

export interface MovedColumn {
  readonly name: string;
  readonly kind: Kind;
}

/** A table to move; its names are the same in both dialects. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** Columns of the primary key. */
  readonly key: readonly MovedColumn[];
  /** The identity column, if there is one. */
  readonly identity: string | null;
}

/** Whether rows in this table show that a database is in use; the other tables are filled when a service starts. */
export function isFilledByUse({ name }: MovedTable): boolean {
  return name !== "meta" && name !== "ticks";
}

/** Every table of the schema; new tables are moved without any further change. */
export function movedTables(): MovedTable[] {
  return Object.values(schema).map((table) => describe(table as unknown as PgTable));
}

function describe(table: PgTable): MovedTable {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const own = columns.map((column) => ({ name: column.name, kind: kindOf(column.getSQLType(), name) }));
  const keys = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  const key = keys.map((column) => own.find((one) => one.name === column.name)!);
  if (key.length === 0) throw new Error(`the table ${name} has no primary key to order its rows by`);
  const identity = columns.find(({ generatedIdentity }) => generatedIdentity !== undefined);
  return { name, columns: own, key, identity: identity?.name ?? null };
}

function kindOf(type: string, table: string): Kind {
  const kind = KINDS.find((one) => one === type);
  if (!kind) throw new Error(`a column of ${table} is of type ${type}, which cannot be moved yet`);
  return kind;
}
