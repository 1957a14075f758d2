import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { type DatabaseSchema, readDatabaseSchema } from "../../support/checks/database-schema.ts";
import { postgresDatabase, sqliteDatabase } from "../../support/database/database.ts";

async function migrated(made: ReturnType<typeof sqliteDatabase>): Promise<DatabaseSchema> {
  const { url, drop } = await made;
  onTestFinished(drop);
  await (await openDatabase(url, { durable: false })).close();
  return readDatabaseSchema(url);
}

test("law: both dialects have the same columns in the same order, keys, indexes and triggers", async () => {
  const [postgres, sqlite] = [await migrated(postgresDatabase()), await migrated(sqliteDatabase())];
  expect(Object.keys(postgres.columns).length).toBeGreaterThan(30);
  expect(postgres).toEqual(sqlite);
  expect(sqlite.triggers).toEqual(["before delete on ledger", "before insert on ledger", "before update on ledger"]);
});
