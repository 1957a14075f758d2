import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { testDatabase } from "../support/database/database.ts";
import { NEXT, withNextMigration } from "../support/database/next-migration.ts";
import { rawQuery } from "../support/database/raw-query.ts";
import { makeOlder } from "../support/database/schema-ages.ts";

withNextMigration();

async function olderDatabase(): Promise<string> {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  await makeOlder(url);
  await rawQuery(url, "INSERT INTO meta VALUES ('kept', 'yes')");
  return url;
}

const isApplied = async (url: string) =>
  (await rawQuery(url, `SELECT 1 FROM migrations WHERE hash = '${NEXT.hash}'`)).length === 1;

test("a database with an older schema gets the migrations that it lacks, once, and keeps its rows", async () => {
  const url = await olderDatabase();
  for (const _ of ["first", "second"]) await (await openDatabase(url)).close();
  expect(await isApplied(url)).toBe(true);
  expect(await rawQuery(url, "SELECT id FROM next")).toEqual([{ id: "there" }]);
  expect(await rawQuery(url, "SELECT value FROM meta WHERE name = 'kept'")).toEqual([{ value: "yes" }]);
});

test("law: a migration that fails on rows leaves no change, and the next start applies it", async () => {
  const url = await olderDatabase();
  // The statements before this one succeed.
  NEXT.sql.push("INSERT INTO meta VALUES ('kept', 'no')");
  onTestFinished(() => {
    NEXT.sql.pop();
  });
  await expect(openDatabase(url)).rejects.toThrow(/unique/i);
  expect(await isApplied(url)).toBe(false);
  await expect(rawQuery(url, "SELECT id FROM next")).rejects.toThrow(/no such table|does not exist/);
  await rawQuery(url, "DELETE FROM meta WHERE name = 'kept'");
  await (await openDatabase(url)).close();
  expect(await isApplied(url)).toBe(true);
});
