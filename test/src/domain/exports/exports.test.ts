import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createDeletion } from "../../../../src/domain/deletion/requests.ts";
import {
  EXPORT_KEPT,
  exportOf,
  MAX_FAILURES,
  progressOf,
  requestExport,
} from "../../../../src/domain/exports/exports.ts";
import { fileOf, purgeExports } from "../../../../src/domain/exports/file.ts";
import { appendPiece, claimExport, completeExport, releaseExport } from "../../../../src/domain/exports/lease.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { asOwner } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const now = () => store.clock.now();
const request = () => store.db.tx(async (tx) => requestExport(tx, await asOwner(tx, accountId), now()));
const claim = (lease: string) => claimExport(store.db, lease, now());
const pieces = () => store.db.q.select().from(store.db.t.exportChunks);

/** Tells nobody. */
const TELL = async () => undefined;

/** Makes the export that is due, of the given pieces. */
async function make(...texts: string[]) {
  const held = (await claim("one"))!;
  for (const [no, text] of texts.entries())
    await appendPiece(store.db, held, { no, data: Buffer.from(text), rowsDone: no + 1, now: now() });
  await completeExport(store.db, held, { bytes: texts.join("").length, rowsDone: texts.length, now: now() }, TELL);
  return (await exportOf(store.db, accountId, now()))!;
}

test("a hundred requests at once make one export, which answers them all", async () => {
  const rows = await Promise.all(Array.from({ length: 100 }, request));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
  expect(await claim("one")).toMatchObject({ id: rows[0]!.id });
  expect(await claim("two")).toBeNull();
});

test("an export of an account that will be deleted waits, and goes on when the account is kept", async () => {
  const { id } = await request();
  await store.db.tx((tx) => createDeletion(tx, accountId, now()));
  expect(await claim("one")).toBeNull();
  const { accountDeletions } = store.db.t;
  await store.db.tx((tx) => tx.q.delete(accountDeletions).where(eq(accountDeletions.accountId, accountId)));
  store.clock.pass(HOUR);
  expect(await claim("one")).toMatchObject({ id });
});

test("429: the fourth in a day; each new one replaces the one before", async () => {
  const ids = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await request()).id);
    await make("text");
  }
  expect(new Set(ids).size).toBe(3);
  await expect(request()).rejects.toMatchObject({ code: "rate_limited" });
  expect((await exportOf(store.db, accountId, now()))?.id).toBe(ids[2]);
  store.clock.pass(DAY);
  expect((await request()).id).not.toBe(ids[2]);
});

test("the file is read piece by piece as it was written, for seven days; then nothing of it is left", async () => {
  await request();
  const row = await make("one ", "two ", "three");
  const read = [];
  for await (const piece of fileOf(store.db, row)) read.push(piece.toString());
  expect(read).toEqual(["one ", "two ", "three"]);
  store.clock.pass(EXPORT_KEPT - 1);
  await purgeExports(store.db, now());
  expect([await pieces(), await exportOf(store.db, accountId, now())]).toMatchObject([{ length: 3 }, { id: row.id }]);
  store.clock.pass(1);
  expect(await exportOf(store.db, accountId, now())).toBeNull();
  await purgeExports(store.db, now());
  expect([await pieces(), await store.db.q.select().from(store.db.t.exports)]).toEqual([[], []]);
});

test("the pieces of a replaced export are deleted, and the pieces of the new one stay", async () => {
  await request();
  await make(...Array.from({ length: 40 }, () => "old"));
  await request();
  await make("new");
  await purgeExports(store.db, now());
  expect((await pieces()).map(({ data }) => data.toString())).toEqual(["new"]);
});

test("a process that ends leaves its export to another one, which begins again; its own late pieces are refused", async () => {
  await request();
  const first = (await claim("one"))!;
  await appendPiece(store.db, first, { no: 0, data: Buffer.from("x"), rowsDone: 1, now: now() });
  store.clock.pass(2 * MINUTE - 1);
  expect(await claim("two")).toBeNull();
  store.clock.pass(1);
  const second = (await claim("two"))!;
  expect([second.id, second.failures, second.rowsDone]).toEqual([first.id, 1, 0]);
  const late = appendPiece(store.db, first, { no: 1, data: Buffer.from("y"), rowsDone: 2, now: now() });
  await expect(late).rejects.toMatchObject({ name: "ExportLost" });
  const end = completeExport(store.db, first, { bytes: 1, rowsDone: 1, now: now() }, TELL);
  await expect(end).rejects.toMatchObject({ name: "ExportLost" });
  expect(await pieces()).toHaveLength(1);
});

test("after five failures an export is given up, and can be requested again", async () => {
  await request();
  for (let n = 0; n < MAX_FAILURES; n++) {
    const held = (await claim(`process ${n}`))!;
    await releaseExport(store.db, held, { hasFailed: true, now: now() });
    expect(await claim("at once")).toBeNull();
    store.clock.pass(MINUTE);
  }
  expect(await claim("once more")).toBeNull();
  const row = (await exportOf(store.db, accountId, now()))!;
  expect(progressOf(row)).toBe("failed");
  expect((await request()).id).not.toBe(row.id);
});

test("an export fails where five processes end without a word", async () => {
  await request();
  for (let n = 0; n <= MAX_FAILURES; n++) {
    await claim(`process ${n}`);
    store.clock.pass(2 * MINUTE);
  }
  expect(progressOf((await exportOf(store.db, accountId, now()))!)).toBe("failed");
});

test("of ten processes at once one gets the export", async () => {
  await request();
  const claims = await Promise.all(Array.from({ length: 10 }, (_, n) => claim(`process ${n}`)));
  expect(claims.filter((one) => one !== null)).toHaveLength(1);
});
