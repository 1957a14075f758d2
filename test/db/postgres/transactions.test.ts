import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Engine, Tx } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { sqlStateOf } from "../../../db/postgres/error-codes.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";
import { isUniqueViolation } from "../../support/database/raw-query.ts";
import { testStore } from "../../support/database/store.ts";
import { startPostgresProxy } from "../../support/nodes/postgres-proxy.ts";
import { eachTest } from "../../support/service/each-test.ts";

const store = eachTest(testStore);
let db: Engine;
beforeEach(async () => {
  ({ db } = store);
});

const retried = () => db.stats!().retried;
const put = (tx: Tx, name: string, value = "x") => tx.q.insert(tx.t.meta).values({ name, value });
const change = (tx: Tx, name: string, value: string) =>
  tx.q.update(tx.t.meta).set({ value }).where(eq(tx.t.meta.name, name));
const all = async (from: Pick<Engine, "q" | "t"> = db) => {
  const rows = await from.q.select().from(from.t.meta).orderBy(from.t.meta.name);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};

/** A line that the first `n` who come wait at for each other; who comes again, or later, passes. */
function line(n: number) {
  let come = 0;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    if (++come === n) open();
    await opened;
  };
}

test("40001: of two transactions that each read what the other writes, one is retried, and the result is as if they ran one after the other", async () => {
  await db.tx(async (tx) => {
    await put(tx, "a", "on call");
    await put(tx, "b", "on call");
  });
  const both = line(2);
  let runs = 0;
  const leave = (name: string) =>
    db.tx(async (tx) => {
      runs++;
      const here = Object.values(await all(tx)).filter((value) => value === "on call").length;
      await both();
      if (here < 2) return "stays";
      await change(tx, name, "gone");
      return "leaves";
    });
  expect((await Promise.all([leave("a"), leave("b")])).sort()).toEqual(["leaves", "stays"]);
  expect(Object.values(await all()).sort()).toEqual(["gone", "on call"]);
  expect([runs >= 3, retried() >= 1]).toEqual([true, true]);
});

test("40P01: of two transactions that wait for each other one is retried, and both are done once", async () => {
  await db.tx(async (tx) => {
    await put(tx, "a", "");
    await put(tx, "b", "");
  });
  const both = line(2);
  const append = (tx: Tx, name: string, letter: string) => {
    const { meta } = tx.t;
    return tx.q
      .update(meta)
      .set({ value: sql`${meta.value} || ${letter}` })
      .where(eq(meta.name, name));
  };
  const inOrder = (names: readonly [string, string], letter: string) =>
    db.tx(async (tx) => {
      await append(tx, names[0], letter);
      await both();
      await append(tx, names[1], letter);
    });
  await Promise.all([inOrder(["a", "b"], "1"), inOrder(["b", "a"], "2")]);
  const { a, b } = await all();
  expect(["12", "21"]).toContain(a);
  expect(b).toBe(a);
  expect(retried()).toBeGreaterThan(0);
});

test("of two transactions that insert the same missing row one finds it at its second attempt", async () => {
  const both = line(2);
  const find = () =>
    db.tx(async (tx) => {
      const known = (await all(tx)).only;
      await both();
      if (known) return "found";
      await put(tx, "only");
      return "made";
    });
  expect((await Promise.all([find(), find()])).sort()).toEqual(["found", "made"]);
  expect(await all()).toEqual({ only: "x" });
});

test("23505 that retrying does not solve is reported after three attempts, and nothing is stored", async () => {
  await db.tx((tx) => put(tx, "taken"));
  let runs = 0;
  const twice = db.tx(async (tx) => {
    runs++;
    await put(tx, "other");
    await put(tx, "taken");
  });
  await expect(twice).rejects.toSatisfy(isUniqueViolation);
  expect([runs, await all()]).toEqual([3, { taken: "x" }]);
});

test("an error thrown by the callback is thrown once, and rolls back", async () => {
  let runs = 0;
  const refused = db.tx(async (tx) => {
    runs++;
    await put(tx, "a");
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  expect([runs, await all()]).toEqual([1, {}]);
});

test("the handle of an attempt cannot be used after it, also while the next one runs", async () => {
  await db.tx((tx) => put(tx, "a"));
  const handles: Tx[] = [];
  const twice = db.tx(async (tx) => {
    for (const old of handles) expect(() => old.q).toThrow(/revoked/);
    handles.push(tx);
    await put(tx, "a");
  });
  await expect(twice).rejects.toSatisfy(isUniqueViolation);
  expect(handles).toHaveLength(3);
  expect(() => handles.at(-1)!.q).toThrow(/revoked/);
});

test("a transaction that goes on after a failed statement is refused, and stores nothing", async () => {
  await db.tx((tx) => put(tx, "a"));
  const swallowing = db.tx(async (tx) => {
    await put(tx, "b");
    await put(tx, "a").catch(() => undefined);
  });
  await expect(swallowing).rejects.toThrow(/went on after one of its statements had failed/);
  expect(await all()).toEqual({ a: "x" });
});

test("a read outside the handle is refused inside a transaction", async () => {
  const beside = db.tx(async (tx) => {
    await put(tx, "a");
    await all();
  });
  await expect(beside).rejects.toSatisfy((thrown: Error) => /a read inside a transaction/.test(String(thrown.cause)));
  expect(await all()).toEqual({});
});

test("nothing can be written outside a transaction, in a snapshot, or in a read at READ COMMITTED", async () => {
  const { meta } = db.t;
  const writes = [
    async () => db.q.insert(meta).values({ name: "a", value: "x" }),
    async () => db.snapshot(async ({ q }) => q.insert(meta).values({ name: "a", value: "x" })),
    async () => db.readCommitted(async ({ q }) => q.insert(meta).values({ name: "a", value: "x" })),
  ];
  for (const write of writes) await expect(write()).rejects.toSatisfy((thrown) => sqlStateOf(thrown) === "25006");
  expect(await all()).toEqual({});
});

test("a snapshot shows one moment, whatever is written meanwhile", async () => {
  await db.tx((tx) => put(tx, "a"));
  await db.snapshot(async (reader) => {
    expect(await all(reader)).toEqual({ a: "x" });
    // Another process.
    const other = await openDatabase(store.url);
    await other.tx((tx) => put(tx, "b")).finally(() => other.close());
    expect(await all(reader)).toEqual({ a: "x" });
  });
  expect(await all()).toEqual({ a: "x", b: "x" });
});

test.each([
  ["before", {}],
  ["after", { lost: "x" }],
] as const)(
  "a connection lost during COMMIT, %s the server did it, is never reported as a failure",
  async (when, left) => {
    const proxy = await startPostgresProxy(Number(new URL(store.url).port));
    const far = await openDatabase(proxy.through(store.url));
    try {
      const cut = proxy.loseCommit("lost", when);
      let runs = 0;
      const lost = far.tx(async (tx) => {
        runs++;
        await put(tx, "lost");
      });
      const thrown = (await lost.catch((error) => error)) as DatabaseUnavailable;
      await cut;
      expect(thrown).toBeInstanceOf(DatabaseUnavailable);
      // It is not run again: it would be done twice.
      expect([thrown.mayHaveHappened, runs]).toEqual([true, 1]);
      expect(await all(far)).toEqual(left);
      await far.tx((tx) => put(tx, "next"));
      expect(await all()).toEqual({ ...left, next: "x" });
    } finally {
      await far.close();
      await proxy.close();
    }
  },
);

test("a connection lost before COMMIT: nothing happened, and that is certain", async () => {
  const proxy = await startPostgresProxy(Number(new URL(store.url).port));
  const far = await openDatabase(proxy.through(store.url));
  try {
    const lost = far.tx(async (tx) => {
      await put(tx, "lost");
      proxy.cut();
      await put(tx, "too late");
    });
    await expect(lost).rejects.toMatchObject({ name: "DatabaseUnavailable", mayHaveHappened: false });
    await expect(far.tx((tx) => put(tx, "away"))).rejects.toMatchObject({ mayHaveHappened: false });
    proxy.heal();
    await far.tx((tx) => put(tx, "back"));
    expect(await all()).toEqual({ back: "x" });
  } finally {
    await far.close();
    await proxy.close();
  }
});
