import { isPostgres } from "../../../db/open.ts";
import { rawQuery } from "../database/raw-query.ts";

/** The schema of a database, written the same way for both dialects. */
export interface DatabaseSchema {
  /** By table, in order: name, type, `null` where allowed, default. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** By table: the columns of the primary key. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** By name: table, columns, whether it is unique, and the condition of a partial index. */
  readonly indexes: Readonly<Record<string, string>>;
  /** Timing, event and table of each trigger. */
  readonly triggers: readonly string[];
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly optional: boolean | number;
  readonly fallback: string | null;
  /** Position in the primary key, from 1; 0: not in it. */
  readonly key: number;
}

interface IndexRow {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  readonly unique: boolean | number;
  readonly condition: string | null;
}

/** Reads the schema from the database itself, without the table of migrations. */
export async function readDatabaseSchema(url: string): Promise<DatabaseSchema> {
  const queries = isPostgres(url) ? PG : SQLITE;
  const columns = await rawQuery<ColumnRow>(url, queries.columns);
  const indexes = await rawQuery<IndexRow>(url, queries.indexes);
  const triggers = await rawQuery<{ what: string }>(url, queries.triggers);
  return {
    columns: byTable(columns, ({ name, type, optional, fallback }) =>
      [name, typeOf(type), optional ? "null" : "", fallback === null ? "" : `= ${fallback.replace(/::\w+$/, "")}`]
        .filter((word) => word !== "")
        .join(" "),
    ),
    keys: byTable(
      columns.filter(({ key }) => key > 0).sort((a, b) => a.key - b.key),
      ({ name }) => name,
    ),
    indexes: Object.fromEntries(
      indexes.map(({ name, table, columns, unique, condition }) => [
        name,
        `${unique ? "unique " : ""}${table} (${columns})${condition === null ? "" : ` where ${plain(condition)}`}`,
      ]),
    ),
    triggers: triggers.map(({ what }) => what.toLowerCase()).sort(),
  };
}

/** SQLite has one integer type, which also holds booleans. */
const TYPES: Readonly<Record<string, string>> = {
  bigint: "integer",
  smallint: "integer",
  boolean: "integer",
  bytea: "blob",
};

function typeOf(type: string): string {
  return TYPES[type.toLowerCase()] ?? type.toLowerCase();
}

function byTable(rows: readonly ColumnRow[], format: (row: ColumnRow) => string): Record<string, string[]> {
  const tables: Record<string, string[]> = {};
  for (const row of rows) tables[row.table] = [...(tables[row.table] ?? []), format(row)];
  return tables;
}

/** Removes quotes, brackets and table names. */
function plain(condition: string): string {
  return condition
    .replace(/(?:"\w+"\.)|["()]/g, "")
    .toLowerCase()
    .trim();
}

const PG = {
  columns: `SELECT c.table_name AS "table", c.column_name AS name, c.data_type AS type,
      c.is_nullable = 'YES' AS optional, c.column_default AS fallback,
      coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) AS key
    FROM information_schema.columns c
    JOIN pg_attribute a ON a.attrelid = c.table_name::regclass AND a.attname = c.column_name
    LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
    WHERE c.table_schema = 'public' AND c.table_name <> 'migrations' ORDER BY 1, c.ordinal_position`,
  indexes: `SELECT k.relname AS name, t.relname AS "table", i.indisunique AS unique,
      (SELECT string_agg(a.attname, ', ' ORDER BY o.place) FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS o (number, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = o.number) AS columns,
      pg_get_expr(i.indpred, i.indrelid) AS condition
    FROM pg_index i JOIN pg_class k ON k.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
    WHERE k.relnamespace = 'public'::regnamespace AND NOT i.indisprimary ORDER BY 1`,
  triggers: `SELECT action_timing || ' ' || event_manipulation || ' on ' || event_object_table AS what
    FROM information_schema.triggers WHERE trigger_schema = 'public'`,
} as const;

const SQLITE = {
  columns: `SELECT m.name AS "table", c.name, c.type, NOT c."notnull" AS optional, c.dflt_value AS fallback, c.pk AS key
    FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'migrations' ORDER BY 1, c.cid`,
  indexes: `SELECT i.name, m.name AS "table", i."unique", group_concat(x.name, ', ' ORDER BY x.seqno) AS columns,
      (SELECT CASE WHEN i.partial THEN substr(s.sql, instr(lower(s.sql), ' where ') + 7) END
        FROM sqlite_master s WHERE s.name = i.name) AS condition
    FROM sqlite_master m, pragma_index_list(m.name) i, pragma_index_info(i.name) x
    WHERE m.type = 'table' AND i.origin = 'c' GROUP BY i.name ORDER BY 1`,
  triggers: `SELECT substr(sql, instr(sql, ' BEFORE ') + 1, instr(sql, ' ON ') - instr(sql, ' BEFORE ') - 1) || ' on ' || tbl_name
      AS what FROM sqlite_master WHERE type = 'trigger'`,
} as const;
