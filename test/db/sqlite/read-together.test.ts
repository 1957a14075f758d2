import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase, sqlitePath } from "../../../db/open.ts";
import { sqliteDatabase } from "../../support/database/database.ts";

test("queries that read together see the database as of one moment, and the next ones what was committed since", async () => {
  const database = await sqliteDatabase();
  const db = await openDatabase(database.url, { durable: false });
  const bare = new Database(sqlitePath(database.url));
  onTestFinished(async () => {
    bare.close();
    await db.close();
    await database.drop();
  });
  const count = () =>
    (db.prepared("all_names", ({ q, t }) => q.select({ name: t.meta.name }).from(t.meta)).execute({}) as object[])
      .length;
  const insert = bare.prepare("INSERT INTO meta (name, value) VALUES (?, 'x')");
  const counts = db.readTogether(() => {
    const before = count();
    insert.run("one");
    return [before, count()];
  });
  expect(counts).toEqual([0, 0]);
  expect(count()).toBe(1);
});
