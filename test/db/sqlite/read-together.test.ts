import { statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine } from "../../../db/engine.ts";
import { openDatabase, sqlitePath } from "../../../db/open.ts";
import { sqliteDatabase, type TestDatabase } from "../../support/database/database.ts";

let database: TestDatabase;
let db: Engine;
/** A connection of another process. */
let other: Database.Database;
beforeAll(async () => {
  database = await sqliteDatabase();
  db = await openDatabase(database.url, { durable: false });
  other = new Database(sqlitePath(database.url));
});
afterAll(async () => {
  other.close();
  await db.close();
  await database.drop();
});

const count = () =>
  (db.prepared("all_names", ({ q, t }) => q.select({ name: t.meta.name }).from(t.meta)).execute({}) as object[]).length;
let written = 0;
const insert = () => other.prepare("INSERT INTO meta (name, value) VALUES (?, 'x')").run(`${written++}`);

test("what reads together in one turn of the event loop sees one moment, and the next turn what was committed since", async () => {
  const before = count();
  db.readTogether();
  const first = count();
  insert();
  expect([first, count()]).toEqual([before, before]);
  db.readTogether();
  expect(count()).toBe(before);
  await nextTurn();
  expect(count()).toBe(before + 1);
  insert();
  expect(count()).toBe(before + 2);
});

test("law: what is read after a commit was counted sees that commit, so that no answer has a version later than itself", async () => {
  const before = count();
  for (const seen of [() => db.besideCommit!().over(false), () => db.isAlone!(), () => db.version!()]) {
    await nextTurn();
    db.readTogether();
    const [first, version] = [count(), db.versionOf!("a")];
    insert();
    seen();
    expect(count() - first).toBe(db.versionOf!("a") === version ? 0 : 1);
  }
  await nextTurn();
  expect(count()).toBe(before + 3);
});

test("law: what a thread of this process has committed is seen as soon as it says so", async () => {
  const beside = db.besideCommit!();
  const before = count();
  db.readTogether();
  expect(count()).toBe(before);
  insert();
  beside.committed(new Set(["a"]));
  expect(count()).toBe(before + 1);
  beside.over(true);
});

test("what this process commits is seen in the same turn", async () => {
  const before = count();
  const seen: number[] = [];
  // The first rounds take so long that they let the event loop turn.
  for (let round = 0; round < 20; round++) {
    await db.tx(async (tx) => {
      await tx.q.insert(tx.t.meta).values({ name: `${written++}`, value: "x" });
      db.readTogether();
      expect(count()).toBe(before + round);
      tx.afterCommit(() => seen.push(count()));
    });
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, round) => before + round + 1));
});

test("the log begins anew while somebody reads in every turn", async () => {
  const log = `${sqlitePath(database.url)}-wal`;
  const write = () =>
    db.tx(async (tx) => {
      await tx.q.insert(tx.t.meta).values({ name: `${written++}`, value: "x".repeat(100_000) });
      db.readTogether();
      count();
    });
  const sizes: number[] = [];
  for (let round = 0; round < 60; round++) {
    await write();
    db.checkpoint();
    sizes.push(statSync(log).size);
  }
  expect(Math.max(...sizes)).toBeLessThan(20 * 100_000);
});
