import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Engine } from "../../../db/engine.ts";
import { openPostgres } from "../../../db/postgres/postgres.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";
import { testStore } from "../../support/database/store.ts";
import { eachTest } from "../../support/service/each-test.ts";
import { eventually } from "../../support/service/eventually.ts";

const NO_MORE = {
  name: "DatabaseUnavailable",
  message: expect.stringMatching(/takes no more connections.*max_connections/),
};

const store = eachTest(testStore);

/** The test's database for a role that the server gives `limit` connections. @returns DATABASE_URL */
async function limited(limit: number): Promise<string> {
  const role = `r_${randomUUID().replaceAll("-", "")}`;
  await asOwner(`CREATE ROLE ${role} LOGIN PASSWORD 'role' CONNECTION LIMIT ${limit};
    GRANT pg_read_all_data, pg_write_all_data TO ${role}`);
  onTestFinished(() => asOwner(`DROP ROLE ${role}`));
  const url = new URL(store.url);
  url.username = role;
  url.password = "role";
  return url.href;
}

async function asOwner(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

function opened(url: string, options: { connectMs?: number } = {}): Engine {
  const db = openPostgres(url, { pool: 10, ...options });
  onTestFinished(() => db.close());
  return db;
}

/** Somebody else's connection, of the same role. */
async function taken(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** A transaction that holds its connection until it is let go. */
async function holding(db: Engine) {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let done: Promise<void> | undefined;
  await new Promise<void>((begun, failed) => {
    done = db.tx(async (tx) => {
      await tx.linksBetween(1, 1);
      begun();
      await held;
    });
    done.catch(failed);
  });
  return { letGo, done: done! };
}

const write = (db: Engine, name: string) => db.tx((tx) => tx.q.insert(tx.t.meta).values({ name, value: "x" }));

test("if the server accepts no more connections, calls wait for one of the node's own, and none is refused", async () => {
  const db = opened(await limited(2));
  const both = [await holding(db), await holding(db)];
  const calls = [
    ...Array.from({ length: 20 }, (_, i) => write(db, `name ${i}`)),
    ...Array.from({ length: 20 }, () => db.linksBetween(1, 1)),
  ];
  // Whoever is not let in, waits; nothing is left to be refused.
  await eventually(() => expect(db.stats!()).toMatchObject({ poolTotal: 2, poolWaiting: 40 }));
  for (const { letGo, done } of both) {
    letGo();
    await done;
  }
  await Promise.all(calls);
  expect(await db.q.select().from(db.t.meta)).toHaveLength(20);
  expect(db.stats!().poolTotal).toBe(2);
});

test("many calls at once on a node without connections share those that the server accepts", async () => {
  const db = opened(await limited(1));
  await Promise.all(Array.from({ length: 10 }, (_, i) => write(db, `name ${i}`)));
  expect(await db.q.select().from(db.t.meta)).toHaveLength(10);
});

test("503: no connection of the node becomes free within the connect timeout; the error has the server's reason", async () => {
  const db = opened(await limited(1), { connectMs: 200 });
  const { letGo, done } = await holding(db);
  const begun = performance.now();
  await expect(db.linksBetween(1, 1)).rejects.toMatchObject(NO_MORE);
  await expect(write(db, "late")).rejects.toMatchObject(NO_MORE);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(390);
  letGo();
  await done;
  await write(db, "next");
});

test("503 at once: the node has no connection at all; calls work when the server accepts one", async () => {
  const url = await limited(1);
  const other = await taken(url);
  const db = opened(url, { connectMs: 60_000 });
  const thrown = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => (i % 2 ? write(db, `no ${i}`) : db.linksBetween(1, 1))).map((made) =>
      made.catch((error) => error),
    ),
  );
  for (const one of thrown) {
    expect(one).toBeInstanceOf(DatabaseUnavailable);
    expect(one).toMatchObject(NO_MORE);
  }
  await other.end();
  // The server needs a moment to see that the other one is gone.
  await eventually(() => write(db, "yes"));
  expect(await db.q.select().from(db.t.meta)).toHaveLength(1);
});

test("the pool grows when the server has room again", async () => {
  const url = await limited(2);
  const other = await taken(url);
  const db = opened(url);
  const first = await holding(db);
  const second = db.linksBetween(1, 1);
  await eventually(() => expect(db.stats!()).toMatchObject({ poolTotal: 1, poolWaiting: 1 }));
  await other.end();
  // What the server has said is believed for a second.
  let moment = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => moment);
  onTestFinished(() => void vi.restoreAllMocks());
  // It may not have seen yet that the other one is gone.
  const asksLater = async () => {
    moment += 1_001;
    expect(await Promise.race([db.linksBetween(1, 1), soon()])).toEqual([]);
  };
  await eventually(asksLater);
  first.letGo();
  await Promise.all([first.done, second]);
  expect(db.stats!().poolTotal).toBe(2);
});

const soon = () => new Promise((resolve) => setTimeout(resolve, 100, "still waiting"));
