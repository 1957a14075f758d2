import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from "drizzle-kit/api";
import { type PgTable, getTableConfig as pgConfig } from "drizzle-orm/pg-core";
import { type SQLiteTable, getTableConfig as sqliteConfig } from "drizzle-orm/sqlite-core";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import * as pgSchema from "../../db/schema.pg.ts";
import * as sqliteSchema from "../../db/schema.sqlite.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { readDatabaseSchema } from "../support/checks/database-schema.ts";
import { isOnPostgres, testDatabase } from "../support/database/database.ts";

const configs = {
  pg: Object.values(pgSchema.schema).map((table) => pgConfig(table as unknown as PgTable)),
  sqlite: Object.values(sqliteSchema.schema).map((table) => sqliteConfig(table as unknown as SQLiteTable)),
} as const;

test("law: a migrated database has the tables, columns and indexes of the schema, and no others", async () => {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  await (await openDatabase(url, { durable: false })).close();
  const { columns, indexes } = await readDatabaseSchema(url);
  const tables = configs[isOnPostgres ? "pg" : "sqlite"];
  const names = Object.fromEntries(
    Object.entries(columns).map(([table, list]) => [table, list.map((column) => column.split(" ")[0]!).sort()]),
  );
  expect(names).toEqual(
    Object.fromEntries(tables.map((one) => [one.name, one.columns.map(({ name }) => name).sort()])),
  );
  const declared = tables.flatMap((one) => one.indexes.map(({ config }) => config.name));
  expect(Object.keys(indexes)).toEqual(declared.sort());
});

test("law: the migrations of both dialects have the same names, and result in the schema of the code", async () => {
  const folder = (dialect: string) => join(packageRoot, "db/migrations", dialect);
  const tags = (dialect: string) => {
    const { entries } = JSON.parse(readFileSync(join(folder(dialect), "meta/_journal.json"), "utf8"));
    return (entries as { tag: string }[]).map(({ tag }) => tag);
  };
  expect(tags("pg")).toEqual(tags("sqlite"));
  // The picture of the schema that drizzle-kit compares with, to write the next migration: only that after the last one.
  const last = (dialect: string) => {
    const picture = `${String(tags(dialect).length - 1).padStart(4, "0")}_snapshot.json`;
    expect(readdirSync(join(folder(dialect), "meta")).sort()).toEqual([picture, "_journal.json"]);
    return JSON.parse(readFileSync(join(folder(dialect), "meta", picture), "utf8"));
  };
  const pg = generateDrizzleJson({ ...pgSchema, schema: undefined });
  expect(await generateMigration(last("pg"), pg)).toEqual([]);
  const sqlite = await generateSQLiteDrizzleJson({ ...sqliteSchema, schema: undefined });
  expect(await generateSQLiteMigration(last("sqlite"), sqlite)).toEqual([]);
});
