import { expect, test } from "vitest";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkDisk, recordDisk } from "../../../../src/process/doctor/disk.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const URL = "file:./data/beckon.db";

async function samples(): Promise<{ at: number }[]> {
  const { db } = store;
  const rows = await db.q.select().from(db.t.meta);
  return JSON.parse(rows.find(({ name }) => name === "disk")?.value ?? "[]");
}

test("a sample is kept every six hours, for two weeks, and none from a time that is still to come", async () => {
  const now = 1_800_000_000_000;
  for (let hour = 0; hour <= 24; hour++) await recordDisk(store.db, URL, now + hour * HOUR);
  expect((await samples()).map(({ at }) => (at - now) / HOUR)).toEqual([0, 6, 12, 18, 24]);
  await recordDisk(store.db, URL, now + 14 * DAY + 7 * HOUR);
  expect((await samples()).map(({ at }) => (at - now) / HOUR)).toEqual([12, 18, 24, 14 * 24 + 7]);
  // The clock has jumped ahead and back.
  await recordDisk(store.db, URL, now + 31 * HOUR);
  expect((await samples()).map(({ at }) => (at - now) / HOUR)).toEqual([12, 18, 24, 31]);
});

test("PostgreSQL has a disk of its own, which is not looked at", async () => {
  await recordDisk(store.db, "postgres://beckon@127.0.0.1/beckon", 1);
  expect(await samples()).toEqual([]);
});

test("in order: a file in a folder that is not there yet is on the disk of the folder above", async () => {
  const config = readConfig({ DATABASE_URL: "file:./data/none/yet/beckon.db" });
  expect((await checkDisk({ config, db: store.db })).found).toMatch(/^\d+ [GM]B of \d+ [GM]B are free/);
});
