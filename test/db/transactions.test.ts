import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Tx } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { testStore } from "../support/database/store.ts";
import { eachTest } from "../support/service/each-test.ts";

const store = eachTest(testStore);

const write = (tx: Tx, name: string) => tx.q.insert(tx.t.meta).values({ name, value: "x" });
const names = async () => {
  const rows = await store.db.q.select().from(store.db.t.meta);
  return rows.map(({ name }) => name).sort();
};

test("a transaction inside a transaction is refused, and the outer one can go on", async () => {
  await store.db.tx(async (tx) => {
    await write(tx, "outer");
    await expect((async () => store.db.tx((inner) => write(inner, "inner")))()).rejects.toThrow(/inside a transaction/);
  });
  expect(await names()).toEqual(["outer"]);
});

test("a transaction of another database may run inside, and the outer one is still known to be open", async () => {
  const other = await testStore();
  await store.db.tx(async (tx) => {
    await other.db.tx(async (inner) => {
      // Keeps what it committed where the outer one has to be done again.
      await write(inner, "there").onConflictDoNothing();
      await expect((async () => store.db.tx((again) => write(again, "again")))()).rejects.toThrow(
        /inside a transaction/,
      );
    });
    await write(tx, "here");
  });
  expect([await names(), await other.db.q.select().from(other.db.t.meta)]).toEqual([["here"], [expect.anything()]]);
  await other.close();
});

test("simultaneous transactions are independent: one that fails affects no other", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, i) =>
      store.db.tx(async (tx) => {
        await write(tx, `name ${String(i).padStart(3, "0")}`);
        if (i % 3 === 0) throw new Error(`failure ${i}`);
        return i;
      }),
    ),
  );
  const kept = Array.from({ length: 200 }, (_, i) => i).filter((i) => i % 3 !== 0);
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.message))).toEqual(
    results.map((_, i) => (i % 3 === 0 ? `failure ${i}` : i)),
  );
  expect(await names()).toEqual(kept.map((i) => `name ${String(i).padStart(3, "0")}`));
});

test("a failed statement rolls back only its own transaction of a group", async () => {
  const [first, twice, last] = await Promise.allSettled([
    store.db.tx((tx) => write(tx, "first")),
    store.db.tx(async (tx) => {
      await write(tx, "second");
      await write(tx, "second");
    }),
    store.db.tx((tx) => write(tx, "last")),
  ]);
  expect([first.status, twice.status, last.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await names()).toEqual(["first", "last"]);
});

test("a commit is reported only once every reader sees it, and no reader sees half of it", async () => {
  let done = false;
  const reading = (async () => {
    const counts = new Set<number>();
    while (!done) {
      await nextTurn();
      counts.add((await names()).length);
    }
    return [...counts];
  })();
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const pair = [`name ${i} a`, `name ${i} b`];
      await store.db.tx(async (tx) => {
        for (const name of pair) await write(tx, name);
      });
      expect(await names()).toEqual(expect.arrayContaining(pair));
    }),
  );
  done = true;
  expect((await reading).filter((count) => count % 2 !== 0)).toEqual([]);
  expect(await names()).toHaveLength(100);
});

test("a transaction reads its own writes, and nobody reads the writes of a failed transaction", async () => {
  const failed = store.db.tx(async (tx) => {
    await write(tx, "mine");
    expect(await tx.q.select().from(tx.t.meta)).toHaveLength(1);
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect(await names()).toEqual([]);
});

test("a handle cannot be used after its transaction", async () => {
  let kept: Tx | null = null;
  await store.db.tx(async (tx) => {
    kept = tx;
  });
  expect(() => kept!.q).toThrow();
});

test("a snapshot cannot write", async () => {
  await expect((async () => store.db.q.insert(store.db.t.meta).values({ name: "x", value: "x" }))()).rejects.toThrow();
  expect(await names()).toEqual([]);
});

test("with two connections to one database a read and its write are atomic, whoever else writes", async () => {
  const other = await openDatabase(store.url, { durable: false });
  const { meta } = store.db.t;
  try {
    await store.db.tx((tx) => tx.q.insert(meta).values({ name: "count", value: "0" }));
    const add = (db: typeof other) =>
      db.tx(async (tx) => {
        const [row] = await tx.q.select().from(meta);
        await tx.q.update(meta).set({ value: String(Number(row!.value) + 1) });
      });
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => add(i % 2 === 0 ? store.db : other)));
    }
    const [row] = await other.q.select().from(meta);
    expect(row!.value).toBe("200");
  } finally {
    await other.close();
  }
});
