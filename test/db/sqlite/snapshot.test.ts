import { rm } from "node:fs/promises";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import type { Reader } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { isUnavailable } from "../../../src/platform/errors/database-unavailable.ts";
import { sqliteDatabase } from "../../support/database/database.ts";
import { testStore } from "../../support/database/store.ts";
import { eachTest } from "../../support/service/each-test.ts";

const store = eachTest(() => testStore(sqliteDatabase()));

const write = (name: string) => store.db.tx((tx) => tx.q.insert(tx.t.meta).values({ name, value: "x" }));
const namesIn = async ({ q, t }: Reader) => (await q.select().from(t.meta)).map(({ name }) => name);

test("law: a reader of a snapshot delays no writer, in this process or another, and sees nothing of its writes", async () => {
  const other = await openDatabase(store.url, { durable: false, busyMs: 0 });
  onTestFinished(() => other.close());
  await write("before");
  const seen = await store.db.snapshot(async (reader) => {
    const first = await namesIn(reader);
    await write("meanwhile");
    await other.tx((tx) => tx.q.insert(tx.t.meta).values({ name: "of another", value: "x" }));
    expect((await namesIn(store.db)).sort()).toEqual(["before", "meanwhile", "of another"]);
    return [first, await namesIn(reader)];
  });
  expect(seen).toEqual([["before"], ["before"]]);
  expect(await store.db.snapshot(namesIn)).toHaveLength(3);
});

test("a snapshot cannot write, and its connection is closed with it", async () => {
  let kept: Reader | undefined;
  const writing = store.db.snapshot(async (reader) => {
    kept = reader;
    await reader.q.insert(reader.t.meta).values({ name: "a", value: "x" });
  });
  await expect(writing).rejects.toThrow(/Failed query|readonly/);
  await expect(namesIn(kept!)).rejects.toThrow();
  // The file can be had by one alone, so that nobody has it open besides.
  await store.db.close();
  const alone = new Database(store.url.slice("file:".length), { timeout: 0 });
  onTestFinished(() => void alone.close());
  expect(alone.pragma("locking_mode = EXCLUSIVE", { simple: true })).toBe("exclusive");
  alone.exec("BEGIN EXCLUSIVE; COMMIT");
});

test("unavailable: the file is gone", async () => {
  const { url, drop } = await sqliteDatabase();
  const db = await openDatabase(url, { durable: false });
  onTestFinished(() => db.close());
  onTestFinished(drop);
  await rm(url.slice("file:".length));
  const thrown = await db.snapshot(namesIn).catch((error: unknown) => error);
  expect(isUnavailable(thrown)).toBe(true);
});
