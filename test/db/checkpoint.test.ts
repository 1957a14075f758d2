import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { testDatabase } from "../support/database/database.ts";

test("law: a checkpoint in the middle of a transaction loses nothing of it", async () => {
  const { url, drop } = await testDatabase();
  const db = await openDatabase(url);
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  await db.tx(async (tx) => {
    await tx.q.insert(tx.t.meta).values({ name: "one", value: "1" });
    // As long ones do between their works (db/sqlite/group-commit.ts).
    await nextTurn();
    expect(() => db.checkpoint()).not.toThrow();
    await tx.q.insert(tx.t.meta).values({ name: "two", value: "2" });
  });
  db.checkpoint();
  expect(await db.q.select().from(db.t.meta)).toHaveLength(2);
});
