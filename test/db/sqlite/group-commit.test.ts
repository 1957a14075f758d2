import { afterEach, beforeEach, expect, test } from "vitest";
import type { Tx } from "../../../db/engine.ts";
import { sqliteDatabase } from "../../support/database.ts";
import { type TestStore, testStore } from "../../support/store.ts";

let store: TestStore;
beforeEach(async () => {
  store = await testStore(sqliteDatabase());
});
afterEach(() => store.close());

const write = (tx: Tx, name: string) => tx.q.insert(tx.t.meta).values({ name, value: "x" });
const names = async () => {
  const rows = await store.db.q.select().from(store.db.t.meta);
  return rows.map(({ name }) => name).sort();
};

test("transactions that wait together are one commit: the readers' connection sees nothing of the first ones before", async () => {
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      store.db.tx(async (tx) => {
        await write(tx, `name ${i}`);
        // A read beside the transaction, which is another connection's here.
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
