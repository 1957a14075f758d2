import { expect, test } from "vitest";
import {
  acquireKey,
  hashInput,
  type KeyLease,
  purgeIdempotency,
  releaseKey,
  replayedResult,
  storeResult,
} from "../../../../src/domain/calls/idempotency-keys.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const key = { accountId: "acc_1", operation: "submit_urls", key: "k" };
const hash = hashInput({ urls: ["https://example.com/"] });
const other = hashInput({ urls: ["https://example.com/other"] });

const take = (inputHash = hash, which = key) => acquireKey(store.db, which, inputHash, store.clock.now());
const replayed = (inputHash = hash, which = key) => replayedResult(store.db, which, inputHash, store.clock.now());
const write = (hold: KeyLease, text: string) => store.db.tx((tx) => storeResult(tx, hold, text));

test("a first call has no stored answer; then its answer is stored, to the byte, for 24 hours", async () => {
  expect(await replayed()).toBeNull();
  await write(await take(), '{"a": 1}');
  expect(await replayed()).toBe('{"a": 1}');
  store.clock.pass(DAY - 1);
  expect(await replayed()).toBe('{"a": 1}');
  store.clock.pass(1);
  expect(await replayed()).toBeNull();
  await write(await take(other), "second");
  expect(await replayed(other)).toBe("second");
});

test("409 idempotency_in_flight: while the first call runs, and for a simultaneous second one", async () => {
  await take();
  await expect(replayed()).rejects.toMatchObject({ code: "idempotency_in_flight", headers: { "Retry-After": "1" } });
  await expect(take()).rejects.toMatchObject({ code: "idempotency_in_flight" });
});

test("422 idempotency_mismatch: other input, while the first call runs and after it", async () => {
  const lease = await take();
  await expect(replayed(other)).rejects.toMatchObject({ code: "idempotency_mismatch" });
  await write(lease, "done");
  await expect(replayed(other)).rejects.toMatchObject({ code: "idempotency_mismatch" });
});

test("a refusal is not stored: the key is free again", async () => {
  await releaseKey(store.db, await take());
  expect(await replayed(other)).toBeNull();
  await write(await take(other), "done");
  expect(await replayed(other)).toBe("done");
});

test("a crashed call keeps its key for 5 minutes; the call that takes it over fences it out", async () => {
  const dead = await take();
  store.clock.pass(5 * MINUTE - 1);
  await expect(replayed()).rejects.toMatchObject({ code: "idempotency_in_flight" });
  store.clock.pass(1);
  expect(await replayed()).toBeNull();
  const alive = await take();
  await expect(write(dead, "late")).rejects.toMatchObject({ code: "idempotency_in_flight" });
  await releaseKey(store.db, dead);
  await write(alive, "done");
  expect(await replayed()).toBe("done");
});

test("the late call's work is rolled back with its answer", async () => {
  const dead = await take();
  store.clock.pass(5 * MINUTE);
  await take();
  const work = store.db.tx(async (tx) => {
    await tx.q.insert(tx.t.meta).values({ name: "work", value: "x" });
    await storeResult(tx, dead, "late");
  });
  await expect(work).rejects.toThrow();
  expect(await store.db.q.select().from(store.db.t.meta)).toEqual([]);
});

test("of many simultaneous calls over two openings of the file one is the first", async () => {
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => take()));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("keys of different accounts and operations are independent", async () => {
  await write(await take(), "mine");
  for (const which of [
    { ...key, accountId: "acc_2" },
    { ...key, operation: "check_urls" },
    { ...key, key: "K" },
  ]) {
    expect(await replayed(other, which)).toBeNull();
  }
});

test("keys older than a day are deleted, and no others", async () => {
  await write(await take(), "old");
  store.clock.pass(DAY);
  await write(await take(hash, { ...key, key: "new" }), "new");
  store.clock.pass(1);
  await purgeIdempotency(store.db, store.clock.now());
  const rows = await store.db.q.select().from(store.db.t.idempotency);
  expect(rows.map((row) => row.result)).toEqual(["new"]);
});
