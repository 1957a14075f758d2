import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../../db/engine.ts";
import { openDatabase } from "../../../../db/open.ts";
import { countSubmission, DailyRequests, usageOf } from "../../../../src/domain/limits/day.ts";
import { MinuteWindows } from "../../../../src/domain/limits/minute.ts";
import { consumeLimit, purgeWindows, type WindowLimit } from "../../../../src/domain/limits/window.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { Refusal } from "../../../../src/platform/errors/errors.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { sampleOf } from "../../../support/checks/fuzz-runs.ts";
import { testStore } from "../../../support/database/store.ts";
import { switchableDatabase } from "../../../support/database/switchable-database.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let other: Engine;
beforeEach(async () => {
  other = await openDatabase(store.url, { durable: false });
});
afterEach(async () => {
  await other.close();
});
const now = () => store.clock.now();
const rows = () => store.db.q.select().from(store.db.t.windows);

describe("a minute of two processes", () => {
  const take = (windows: MinuteWindows, key: string, times = 1) => {
    let used = 0;
    for (let i = 0; i < times; i++) used = windows.take("requests_per_minute", key, now()).used;
    return used;
  };

  test("law: each process knows the other's counts after a share, and none is counted twice", async () => {
    const [one, two] = [new MinuteWindows(), new MinuteWindows()];
    expect([take(one, "key_1", 70), take(two, "key_1", 30)]).toEqual([70, 30]);
    await one.share(store.db, now());
    await two.share(other, now());
    expect([take(one, "key_1"), take(two, "key_1")]).toEqual([71, 101]);
    await one.share(store.db, now());
    await two.share(other, now());
    await one.share(store.db, now());
    expect([take(two, "key_1"), take(one, "key_1")]).toEqual([103, 102]);
    await one.share(store.db, now());
    expect(take(one, "key_1")).toBe(104);
  });

  test("requests during a share are counted once", async () => {
    const [one, two] = [new MinuteWindows(), new MinuteWindows()];
    for (let i = 0; i < 10; i++) {
      const shares = [one.share(store.db, now()), two.share(other, now())];
      for (const windows of [one, two]) take(windows, "key_1", 3);
      await Promise.all(shares);
    }
    await one.share(store.db, now());
    await two.share(other, now());
    expect(await rows()).toMatchObject([{ subject: "key_1", name: "requests_per_minute", count: 60 }]);
  });

  test("a caller over the limit in total is over it at each process", async () => {
    const [one, two] = [new MinuteWindows(), new MinuteWindows()];
    take(one, "key_1", 60);
    take(two, "key_1", 60);
    await one.share(store.db, now());
    await two.share(other, now());
    expect(take(two, "key_1")).toBeGreaterThan(LIMITS.requests_per_minute.count);
  });

  test("the next minute starts at zero at both; counts of the last one that were not shared have no effect", async () => {
    const [one, two] = [new MinuteWindows(), new MinuteWindows()];
    take(one, "key_1", 100);
    await one.share(store.db, now());
    take(one, "key_1", 20);
    store.clock.pass(MINUTE);
    take(two, "key_1", 5);
    await two.share(other, now());
    await one.share(store.db, now());
    expect(take(one, "key_1")).toBe(1);
    await one.share(store.db, now());
    expect(take(one, "key_1")).toBe(7);
    expect(await rows()).toHaveLength(1);
  });

  test("a process whose clock is a minute behind does not change the newer minute", async () => {
    const [late, right] = [new MinuteWindows(), new MinuteWindows()];
    take(late, "key_1", 9);
    const then = now();
    store.clock.pass(MINUTE);
    take(right, "key_1", 4);
    await right.share(store.db, now());
    await late.share(other, then);
    expect(await rows()).toMatchObject([{ count: 4 }]);
    expect(late.take("requests_per_minute", "key_1", then).used).toBe(10);
  });

  test("nothing is written without requests, and one row for each of thousands of callers", async () => {
    const windows = new MinuteWindows();
    const silent = { tx: () => Promise.reject(new Error("a write")) } as unknown as Engine;
    await windows.share(silent, now());
    for (let i = 0; i < 2_500; i++) take(windows, `key_${i}`);
    await windows.share(store.db, now());
    expect(await rows()).toHaveLength(2_500);
    await windows.share(silent, now());
    store.clock.pass(MINUTE - 1);
    await purgeWindows(store.db, now());
    expect(await rows()).toHaveLength(2_500);
    store.clock.pass(1);
    await purgeWindows(store.db, now());
    expect(await rows()).toEqual([]);
  });

  test("while the database is unavailable each counts alone, and shares afterwards", async () => {
    const database = switchableDatabase();
    const db = database.wrap(store.db);
    const windows = new MinuteWindows();
    take(windows, "key_1", 5);
    database.state = "down";
    await expect(windows.share(db, now())).rejects.toThrow(/does not answer/);
    expect(take(windows, "key_1")).toBe(6);
    database.state = "up";
    await windows.share(db, now());
    expect(await rows()).toMatchObject([{ count: 6 }]);
  });
});

describe("a day of two processes", () => {
  const requests = async (at = now()) => (await usageOf(store.db, "acc_1", at)).requests;

  test("law: an unavailable database loses no count, and refuses nobody", async () => {
    const database = switchableDatabase();
    const counts = new DailyRequests(database.wrap(store.db));
    await counts.take("acc_1", now());
    database.state = "down";
    expect(await counts.take("acc_1", now())).toBe(2);
    expect(await counts.take("acc_2", now())).toBe(1);
    await expect(counts.flush(now())).rejects.toThrow(/does not answer/);
    await expect(counts.flush(now())).rejects.toThrow(/does not answer/);
    database.state = "up";
    await counts.flush(now());
    expect(await requests()).toBe(2);
    await counts.flush(now());
    expect(await requests()).toBe(2);
  });

  test("a connection lost during a commit counts nothing twice", async () => {
    const database = switchableDatabase();
    const counts = new DailyRequests(database.wrap(store.db));
    await counts.take("acc_1", now());
    database.state = "loses commits";
    await expect(counts.flush(now())).rejects.toThrow();
    database.state = "up";
    expect(await counts.take("acc_1", now())).toBe(2);
    await counts.flush(now());
    expect(await requests()).toBe(2);
  });

  test("counts from before midnight that are written later are written for their own day", async () => {
    const counts = new DailyRequests(store.db);
    const before = now();
    await counts.take("acc_1", before);
    await counts.take("acc_1", before + DAY);
    await counts.flush(before + DAY);
    expect([await requests(before), await requests(before + DAY)]).toEqual([1, 1]);
  });

  test("an account over the limit at another process is over it here within a second, or at once if it is new here", async () => {
    const [one, two] = [new DailyRequests(store.db), new DailyRequests(other)];
    await two.take("acc_1", now());
    for (let i = 0; i < 50; i++) await one.take("acc_1", now());
    await one.flush(now());
    await two.flush(now());
    expect(await two.take("acc_1", now())).toBe(52);
    await two.flush(now());
    expect(await new DailyRequests(store.db).take("acc_1", now())).toBe(53);
  });

  test("with very many accounts, the ones counted during a flush are kept, and written by the next flush", async () => {
    const written: number[] = [];
    let reads = 0;
    const execute = async () => {
      reads += 1;
      return [];
    };
    const db = { ...store.db, prepared: () => ({ execute }) } as unknown as Engine;
    const counts = new DailyRequests(db);
    for (let i = 0; i <= 50_000; i++) await counts.take(`acc_${i}`, now());
    const tx = async () => {
      // Of the piece that was written first.
      if (written.push(0) === 51) await counts.take("acc_0", now());
      return new Map();
    };
    db.tx = tx as unknown as Engine["tx"];
    await counts.flush(now());
    expect(written).toHaveLength(51);
    await counts.flush(now());
    expect(written).toHaveLength(52);
    // The ones that were written were forgotten, of which there were too many.
    await counts.take("acc_1", now());
    expect(reads).toBe(50_002);
  });
});

describe("twenty simultaneous callers over two engines", () => {
  const windowed = Object.entries(LIMITS).filter(([, { window }]) => window !== "minute" && window !== "day");

  test.each(sampleOf(windowed, 8))("%s accepts exactly as many as it allows", async (name, { count }) => {
    const spare = Math.min(count, 7);
    const limit = name as WindowLimit;
    const length = {
      "10 minutes": 10,
      "15 minutes": 15,
      hour: 60,
      "24 hours": 24 * 60,
      "since the last sign-in": Number.POSITIVE_INFINITY,
    }[LIMITS[limit].window as "hour"];
    const window = Math.floor(now() / (length * MINUTE));
    await store.db.tx(async ({ q, t: { windows } }) => {
      await q.insert(windows).values({ subject: "who", name, window, count: count - spare });
    });
    const takers = Array.from({ length: 20 }, (_, i) =>
      consumeLimit(i % 2 ? other : store.db, "who", limit, now()).then(
        () => "taken",
        (thrown: Refusal) => thrown.code,
      ),
    );
    const all = await Promise.all(takers);
    expect(all.filter((one) => one === "taken")).toHaveLength(spare);
    expect(all.filter((one) => one === "rate_limited")).toHaveLength(20 - spare);
    expect(await rows()).toMatchObject([{ count }]);
  });

  test("submissions_per_day accepts exactly as many as are left", async () => {
    for (let i = 0; i < 493; i++) await store.db.tx((tx) => countSubmission(tx, "acc_1", now()));
    const takers = Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? other : store.db).tx((tx) => countSubmission(tx, "acc_1", now())),
    );
    const all = await Promise.allSettled(takers);
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect((await usageOf(store.db, "acc_1", now())).submissions).toBe(500);
  });

  test("a refusal is thrown once: its transaction is not retried", async () => {
    let runs = 0;
    const refused = store.db.tx(async () => {
      runs += 1;
      throw new Refusal("rate_limited", "no");
    });
    await expect(refused).rejects.toMatchObject({ code: "rate_limited" });
    expect(runs).toBe(1);
  });
});
