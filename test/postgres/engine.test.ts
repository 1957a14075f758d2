import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { type DatabaseOptions, openDatabase } from "../../db/open.ts";
import { DatabaseUnavailable, unavailableIn } from "../../src/platform/errors/database-unavailable.ts";
import { postgresDatabase, type TestDatabase } from "../support/database/database.ts";
import { type PostgresProxy, startPostgresProxy } from "../support/nodes/postgres-proxy.ts";

let database: TestDatabase;
let proxy: PostgresProxy;
const open: Engine[] = [];
beforeEach(async () => {
  database = await postgresDatabase();
  proxy = await startPostgresProxy(Number(new URL(database.url).port));
});
afterEach(async () => {
  proxy.heal();
  await Promise.all(open.splice(0).map((db) => db.close()));
  await proxy.close();
  await database.drop();
});

async function opened(options: DatabaseOptions = {}): Promise<Engine> {
  const db = await openDatabase(proxy.through(database.url), options);
  open.push(db);
  return db;
}

const read = (db: Engine) => db.q.select().from(db.t.meta);
const write = (db: Engine, name: string) => db.tx((tx) => tx.q.insert(tx.t.meta).values({ name, value: "" }));
const names = async (db: Engine) => (await read(db)).map(({ name }) => name).sort();
/** Resolves to what is thrown, once it is. */
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (thrown: unknown) => unavailableIn(thrown) ?? thrown,
  );

test("a network that drops every packet: calls fail in bounded time, and work resumes when it is back", async () => {
  const db = await opened({ pool: 3, connectMs: 1_500, statementMs: 1_500 });
  await Promise.all([read(db), read(db), write(db, "before")]);
  proxy.stall();
  const startedAt = performance.now();
  const asked = [
    ...Array.from({ length: 6 }, () => failure(read(db))),
    ...Array.from({ length: 6 }, (_, i) => failure(write(db, `lost ${i}`))),
    failure(db.now()),
    failure(db.snapshot((reader) => reader.q.select().from(reader.t.meta))),
  ];
  for (const thrown of await Promise.all(asked)) expect(thrown).toBeInstanceOf(DatabaseUnavailable);
  expect(performance.now() - startedAt).toBeLessThan(12_000);
  proxy.heal();
  await write(db, "after");
  expect(await names(db)).toEqual(expect.arrayContaining(["after", "before"]));
  await expect.poll(() => db.stats!()).toMatchObject({ poolWaiting: 0 });
  expect(db.stats!().poolTotal).toBeLessThanOrEqual(3);
});

test("connections cut at any moment leak nothing, and lose nothing that was acknowledged", async () => {
  const db = await opened({ pool: 4 });
  const kept: string[] = [];
  const refused: string[] = [];
  let isOver = false;
  const lane = async (lane: number) => {
    for (let i = 0; !isOver; i++) {
      const name = `${lane}-${i}`;
      const thrown = await failure(write(db, name));
      if (!thrown) kept.push(name);
      else if (!(thrown as DatabaseUnavailable).mayHaveHappened) refused.push(name);
      await failure(read(db));
    }
  };
  const lanes = Promise.all(Array.from({ length: 8 }, (_, i) => lane(i)));
  for (let cut = 0; cut < 25; cut++) {
    const had = kept.length;
    await expect.poll(() => kept.length, { interval: 5 }).toBeGreaterThan(had + (cut % 5));
    proxy.cut();
    proxy.heal();
  }
  isOver = true;
  await lanes;
  const there = new Set(await names(db));
  expect(kept.filter((name) => !there.has(name))).toEqual([]);
  expect(refused.filter((name) => there.has(name))).toEqual([]);
  expect(kept.length).toBeGreaterThan(50);
  const { poolTotal, poolIdle, poolWaiting } = db.stats!();
  expect([poolTotal <= 4, poolIdle, poolWaiting]).toEqual([true, poolTotal, 0]);
  await expect.poll(() => proxy.open).toBe(poolTotal);
});

test("only a lost commit is reported as perhaps done", async () => {
  const db = await opened();
  for (const when of ["before", "after"] as const) {
    const lost = proxy.loseCommit("insert into", when);
    const thrown = await failure(write(db, when));
    await lost;
    expect(thrown).toMatchObject({ name: "DatabaseUnavailable", mayHaveHappened: true });
  }
  await expect.poll(() => names(db)).toEqual(["after"]);
  proxy.cut();
  expect(await failure(write(db, "never"))).toMatchObject({ name: "DatabaseUnavailable", mayHaveHappened: false });
});

test("one connection serves any number of callers without a deadlock", async () => {
  const db = await opened({ pool: 1, connectMs: 20_000 });
  await write(db, "count");
  const work = Array.from({ length: 60 }, async (_, i) => {
    if (i % 4 === 0) await read(db);
    if (i % 4 === 1) await db.snapshot((reader) => reader.q.select().from(reader.t.meta));
    if (i % 4 === 2) await db.claimSteps({ priority: 1, dueBy: 0, now: 0, lease: "x", leaseUntil: 1, limit: 5 });
    await db.tx((tx) => tx.q.update(tx.t.meta).set({ value: sql`${tx.t.meta.value} || 'x'` }));
  });
  await Promise.all(work);
  expect((await read(db))[0]!.value).toHaveLength(60);
});

test("a caller that waits too long for a connection is refused, and the one that has it goes on", async () => {
  const db = await opened({ pool: 1, connectMs: 1_000 });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = db.tx(async (tx) => {
    await tx.q.insert(tx.t.meta).values({ name: "first", value: "" });
    await held;
  });
  await expect.poll(() => db.stats!()).toMatchObject({ poolTotal: 1, poolIdle: 0 });
  const thrown = await Promise.all([failure(read(db)), failure(write(db, "second")), failure(db.now())]);
  for (const one of thrown) expect(one).toMatchObject({ name: "DatabaseUnavailable", mayHaveHappened: false });
  release();
  await first;
  expect(await names(db)).toEqual(["first"]);
});

test("a slow server: a statement that takes too long is cancelled and reported; reads of the whole database may take longer", async () => {
  const db = await opened({ statementMs: 1_000 });
  await write(db, "one");
  const sleeping = { slept: sql`pg_sleep(1.5)` };
  const thrown = await failure(db.q.select(sleeping).from(db.t.meta));
  expect((thrown as Error).message).toBe("PostgreSQL took too long over a statement.");
  expect(await failure(db.tx((tx) => tx.q.select(sleeping).from(tx.t.meta)))).toBeInstanceOf(DatabaseUnavailable);
  await db.snapshot((reader) => reader.q.select(sleeping).from(reader.t.meta));
  proxy.delay(40);
  await write(db, "two");
  expect(await names(db)).toEqual(["one", "two"]);
});

test("two nodes that keep changing one row both make progress, and no change is lost", async () => {
  const nodes = [await opened(), await opened()];
  await write(nodes[0]!, "hot");
  const add = (db: Engine) =>
    db.tx(async (tx) => {
      const [row] = await tx.q.select().from(tx.t.meta);
      await tx.q.update(tx.t.meta).set({ value: String(Number(row!.value) + 1) });
    });
  const counts = await Promise.all(
    nodes.map(async (db) => {
      const done = await Promise.all(Array.from({ length: 60 }, () => failure(add(db))));
      return done.filter((thrown) => thrown === null).length;
    }),
  );
  expect(counts).toEqual([60, 60]);
  expect((await read(nodes[0]!))[0]!.value).toBe("120");
});

test("no read outside a transaction fails because of concurrent transactions", async () => {
  const db = await opened();
  await write(db, "hot");
  const writing = Promise.all(
    Array.from({ length: 40 }, () =>
      db.tx((tx) => tx.q.update(tx.t.meta).set({ value: sql`${tx.t.meta.value} || 'x'` })),
    ),
  );
  const reading = await Promise.all(Array.from({ length: 200 }, () => failure(read(db))));
  await writing;
  expect(reading.filter((thrown) => thrown !== null)).toEqual([]);
});
