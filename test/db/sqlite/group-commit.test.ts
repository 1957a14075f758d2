import { existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Engine, Tx } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { sqliteDatabase } from "../../support/database/database.ts";
import { testStore } from "../../support/database/store.ts";
import { eachTest } from "../../support/service/each-test.ts";

const store = eachTest(() => testStore(sqliteDatabase()));

const write = (tx: Tx, name: string) => tx.q.insert(tx.t.meta).values({ name, value: "x" });
const names = async () => {
  const rows = await store.db.q.select().from(store.db.t.meta);
  return rows.map(({ name }) => name).sort();
};

test("waiting transactions share one commit: a reader sees none of them before", async () => {
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      store.db.tx(async (tx) => {
        await write(tx, `name ${i}`);
        // A read outside of the transaction, which is another connection's here.
        seen.push((await names()).length);
      }),
    ),
  );
  expect(seen).toEqual(Array(50).fill(0));
  expect(await names()).toHaveLength(50);
});

test("more than 64 at once are several commits, one after another", async () => {
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      store.db.tx(async (tx) => {
        await write(tx, `name ${i}`);
        seen.push((await names()).length);
      }),
    ),
  );
  expect(seen).toEqual([...Array(64).fill(0), ...Array(36).fill(64)]);
});

test("a transaction that comes while others are under way shares their commit", async () => {
  let join: () => void;
  let first: Promise<void>;
  await new Promise<void>((begun) => {
    first = store.db.tx(async (tx) => {
      await write(tx, "first");
      begun();
      await new Promise<void>((resolve) => {
        join = resolve;
      });
    });
  });
  let seen: string[] | null = null;
  const second = store.db.tx(async (tx) => {
    await write(tx, "second");
    seen = await names();
  });
  join!();
  await first!;
  expect(await names()).toEqual(["first", "second"]);
  await second;
  expect(seen).toEqual([]);
});

test("a group that has changed 3,000 rows takes no further transaction", async () => {
  const seen: number[] = [];
  const large = async (tx: Tx, from: number) => {
    seen.push((await names()).length);
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ name: `name ${from + i}`, value: "x" }));
    await tx.q.insert(tx.t.meta).values(rows);
  };
  await Promise.all(Array.from({ length: 4 }, (_, i) => store.db.tx((tx) => large(tx, i * 1_000))));
  expect(seen).toEqual([0, 0, 0, 3_000]);
});

test("a transaction of more than the cache holds goes to the log as it works, and is seen, or kept if it fails, by nobody", async () => {
  const log = `${store.url.slice("file:".length)}-wal`;
  const fill = async (tx: Tx, then: () => void) => {
    const before = statSync(log).size;
    for (let at = 0; at < 20; at++) await tx.q.insert(tx.t.meta).values({ name: `${at}`, value: "x".repeat(1 << 20) });
    expect(statSync(log).size - before).toBeGreaterThan(8 << 20);
    expect(await names()).toEqual([]);
    then();
  };
  const fails = store.db.tx((tx) =>
    fill(tx, () => {
      throw new Error("of its own");
    }),
  );
  await Promise.all([expect(fails).rejects.toThrow("of its own"), store.db.tx((tx) => write(tx, "other"))]);
  expect(await names()).toEqual(["other"]);
});

test("a transaction that changes much of what is stored writes no temporary file", async ({ skip }) => {
  const files = "/proc/self/fd";
  if (!existsSync(files)) return skip("only Linux shows which files a process has open");
  // One belongs to the listing itself, and is gone after it.
  const nameOf = (file: string) => {
    try {
      return readlinkSync(`${files}/${file}`);
    } catch {
      return "";
    }
  };
  const value = "x".repeat(1_000);
  const rows = Array.from({ length: 1_000 }, (_, i) => ({ name: `name ${i}`, value }));
  await store.db.tx((tx) => tx.q.insert(tx.t.meta).values(rows));
  const open = await store.db.tx(async (tx) => {
    await tx.q.update(tx.t.meta).set({ value: "y".repeat(1_000) });
    return readdirSync(files).map(nameOf);
  });
  expect(open.filter((file) => file.includes("beckon"))).not.toEqual([]);
  expect(open.filter((file) => file.includes("etilqs"))).toEqual([]);
});

test("a transaction that fails with an error of its own leaves the others of its group to be committed", async () => {
  const outcomes = await Promise.allSettled(
    ["one", "two", "three"].map((name) =>
      store.db.tx(async (tx) => {
        await write(tx, name);
        if (name === "two") throw new Error("of its own");
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await names()).toEqual(["one", "three"]);
});

test("a transaction that fails because of another one in its group is told so when everybody can read that one", async () => {
  const first = store.db.tx((tx) => write(tx, "taken"));
  const seen = store.db
    .tx(async (tx) => {
      const rows = await tx.q.select().from(tx.t.meta);
      throw new Error(rows.map(({ name }) => name).join());
    })
    .catch(async (reason: Error) => [reason.message, ...(await names())]);
  // The group stays open for a turn of the event loop, in which the failure could be told.
  const last = store.db.tx(() => nextTurn());
  expect(await seen).toEqual(["taken", "taken"]);
  await Promise.all([first, last]);
});

/** A further connection that writes, with a queue of its own, as another process has. */
async function another(): Promise<Engine> {
  const db = await openDatabase(store.url, { durable: false });
  onTestFinished(() => db.close());
  return db;
}

test("a process that writes without a pause lets other connections write between its commits", async () => {
  const others = [await another(), await another()];
  let theirs = 0;
  const waiting = others.map(async (db, i) => {
    await db.tx((tx) => write(tx, `other ${i}`));
    theirs++;
  });
  // More than go into one commit wait all the time, a hundred commits long.
  let ours = 0;
  const busy = async () => {
    while (theirs < others.length && ours < 6_400) await store.db.tx((tx) => write(tx, `name ${ours++}`));
  };
  await Promise.all(Array.from({ length: 150 }, busy));
  await Promise.all(waiting);
  expect(ours).toBeLessThan(6_400);
});

test("a transaction that waits for the event loop is not delayed by the transactions that wait for it", async () => {
  const others = [await another(), await another()];
  const begun = performance.now();
  const waiting: Promise<unknown>[] = [];
  await store.db.tx(async (tx) => {
    await write(tx, "first");
    waiting.push(...others.map((db, i) => db.tx((tx) => write(tx, `other ${i}`))));
    for (let n = 0; n < 500; n++) await nextTurn();
  });
  // It would take 20 ms for most turns if they waited in SQLite.
  expect(performance.now() - begun).toBeLessThan(3_000);
  await Promise.all(waiting);
  expect(await names()).toEqual(["first", "other 0", "other 1"]);
});
