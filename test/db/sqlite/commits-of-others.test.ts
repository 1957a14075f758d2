import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { AccountVersions } from "../../../db/sqlite/account-versions.ts";
import { CommitsOfOthers } from "../../../db/sqlite/commits-of-others.ts";
import { sqliteDatabase } from "../../support/database/database.ts";
import { testStore } from "../../support/database/store.ts";

const store = await testStore(sqliteDatabase());
let thread: Engine;
let stranger: Engine;
beforeAll(async () => {
  thread = await openDatabase(store.url, { durable: false });
  stranger = await openDatabase(store.url, { durable: false });
});
afterAll(async () => {
  await thread.close();
  await stranger.close();
  await store.close();
});

let written = 0;
const commit = (by: Engine) => by.tx((tx) => tx.q.insert(tx.t.meta).values({ name: `${written++}`, value: "x" }));
const A = new Set(["a"]);

/** The accounts that have changed since a version, as far as is known. */
const changedSince = (version: number) => ["a", "b"].filter((account) => store.db.versionOf!(account) > version);

test("a commit beside changes the accounts that it names, and is in doubt until it is over", async () => {
  const before = store.db.version!();
  const beside = store.db.besideCommit!();
  expect(changedSince(before)).toEqual([]);
  await commit(thread);
  // What is read from now on counts as read before the commit.
  expect([changedSince(before), store.db.version!()]).toEqual([["a", "b"], before]);
  beside.committed(A);
  expect([changedSince(before), store.db.version!()]).toEqual([["a", "b"], before]);
  beside.over(true);
  expect(changedSince(before)).toEqual(["a"]);
});

test("what is committed beside and affects nobody, or is not committed at all, changes nothing", async () => {
  const before = store.db.version!();
  const leases = store.db.besideCommit!();
  await commit(thread);
  leases.committed(new Set());
  leases.over(true);
  const failed = store.db.besideCommit!();
  failed.committed(A);
  failed.over(true);
  expect([changedSince(before), store.db.version!()]).toEqual([[], before]);
});

test.each([
  ["before it is told of", async () => undefined, true, async () => commit(stranger)],
  ["between begin and commit, which the thread sees", async () => commit(stranger), false, async () => undefined],
  ["of which nothing is known", async () => undefined, false, async () => undefined],
])("law: a commit of another process, %s, may have changed anybody", async (_, first, isAlone, last) => {
  const before = store.db.version!();
  const beside = store.db.besideCommit!();
  await first();
  await commit(thread);
  beside.committed(A);
  await last();
  beside.over(isAlone);
  expect(changedSince(before)).toEqual(["a", "b"]);
  expect(changedSince(store.db.version!())).toEqual([]);
});

test("a thread that commits before this process hears that it has begun may have changed anybody", async () => {
  const before = store.db.version!();
  await commit(thread);
  const beside = store.db.besideCommit!();
  beside.committed(A);
  beside.over(true);
  expect(changedSince(before)).toEqual(["a", "b"]);
});

test("law: SQLite is asked once in each turn of the event loop, and anew in the next", async () => {
  let [dataVersion, asked] = [1, 0];
  const ask = () => {
    asked++;
    return dataVersion;
  };
  const commits = new CommitsOfOthers(ask, new AccountVersions(), () => undefined);
  const askedBefore = asked;
  expect([commits.of("a"), commits.of("b"), commits.latest()]).toEqual([0, 0, 0]);
  expect(asked - askedBefore).toBe(1);
  dataVersion++;
  await nextTurn();
  expect([commits.of("a"), commits.latest()]).toEqual([1, 1]);
  expect(asked - askedBefore).toBe(2);
});

test("law: a process is alone while no other one has committed for two minutes", async () => {
  let [dataVersion, now] = [1, 0];
  const commits = new CommitsOfOthers(
    () => dataVersion,
    new AccountVersions(),
    () => undefined,
    () => now,
  );
  expect(commits.isAlone()).toBe(false);
  now = 120_000;
  expect(commits.isAlone()).toBe(true);
  await nextTurn();
  dataVersion++;
  expect(commits.isAlone()).toBe(false);
  now += 119_999;
  expect(commits.isAlone()).toBe(false);
  now++;
  const beside = commits.beside();
  expect(commits.isAlone()).toBe(true);
  dataVersion++;
  beside.committed(A);
  expect(commits.isAlone()).toBe(false);
  beside.over(true);
  expect(commits.isAlone()).toBe(true);
});
