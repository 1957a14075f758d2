import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Engine } from "../../../../db/engine.ts";
import {
  acquireKey,
  hashInput,
  isKeyUsed,
  type KeyLease,
  purgeIdempotency,
  releaseKey,
  replayedResult,
  storeResult,
} from "../../../../src/domain/calls/idempotency-keys.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { DatabaseUnavailable } from "../../../../src/platform/errors/database-unavailable.ts";
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

test("a key is used while its call runs and for 24 hours after it began, by whatever input", async () => {
  const isUsed = () => isKeyUsed(store.db, key, store.clock.now());
  expect(await isUsed()).toBe(false);
  const lease = await take();
  expect(await isUsed()).toBe(true);
  await write(lease, "done");
  store.clock.pass(DAY - 1);
  expect(await isUsed()).toBe(true);
  store.clock.pass(1);
  expect(await isUsed()).toBe(false);
});

describe("while the database is unavailable", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The database, whose transactions fail so many times. @param isLate after they were committed */
  function failing(times: number, thrown: Error, isLate = false) {
    const tried = { count: 0 };
    const tx: Engine["tx"] = async (work, options) => {
      tried.count += 1;
      const isFailing = tried.count <= times;
      if (isFailing && !isLate) throw thrown;
      const result = await store.db.tx(work, options);
      if (isFailing) throw thrown;
      return result;
    };
    const db = new Proxy(store.db, { get: (target, name) => (name === "tx" ? tx : Reflect.get(target, name)) });
    return { db, tried };
  }
  const LOST = new DatabaseUnavailable("lost", null);
  const isFree = async () => !(await isKeyUsed(store.db, key, store.clock.now()));
  /** Lets time pass, and what it begins come to its end. */
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await store.db.tx(async () => undefined);
  };

  test("a key that cannot be released is released two seconds later", async () => {
    const { db } = failing(1, LOST);
    await releaseKey(db, await take());
    await pass(1_999);
    expect(await isFree()).toBe(false);
    await pass(1);
    await expect.poll(isFree).toBe(true);
  });

  test("a release is tried every two seconds until the lease has ended, and then no more", async () => {
    const { db, tried } = failing(1_000, LOST);
    await releaseKey(db, await take());
    for (let tries = 1; tries <= 3; tries += 1) {
      expect(tried.count).toBe(tries);
      await pass(2_000);
    }
    await pass(20 * MINUTE);
    expect(tried.count).toBe(152);
  });

  test("an error that is no lack of a database is thrown, and nothing is tried again", async () => {
    const bug = new Error("a bug");
    const { db, tried } = failing(1, bug);
    await expect(releaseKey(db, await take())).rejects.toBe(bug);
    await pass(MINUTE);
    expect(tried.count).toBe(1);
  });

  test.each([
    ["a lost connection: the key that may have been taken is released", LOST, true],
    ["a bug: it stays taken", new Error("a bug"), false],
  ] as const)("a call that cannot take its key fails; %s", async (_, thrown, isReleased) => {
    const { db } = failing(1, thrown, true);
    await expect(acquireKey(db, key, hash, store.clock.now())).rejects.toBe(thrown);
    expect(await isFree()).toBe(false);
    await pass(2_000);
    await expect.poll(isFree).toBe(isReleased);
  });
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
