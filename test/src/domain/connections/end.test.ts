import { beforeEach, expect, test } from "vitest";
import { connectionById, connectionsOf } from "../../../../src/domain/connections/connections.ts";
import { endConnection, endedConnections, forgetConnection } from "../../../../src/domain/connections/end.ts";
import { saveConnection } from "../../../../src/domain/connections/save.ts";
import { connectionBox, newConnection } from "../../../support/database/connections.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

async function connect(subject: string) {
  const made = newConnection(accountId, subject, store.clock.now());
  return (await store.db.tx((tx) => saveConnection(tx, connectionBox, made)))!;
}

test("a connection is found until it ends, and forgotten after that alone", async () => {
  const [ann, ben] = [await connect("ann"), await connect("ben")];
  const end = { accountId, personId: "per_ann", id: ann, ip: "127.0.0.1", now: store.clock.now() };
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  // One that goes on cannot be forgotten.
  await store.db.tx((tx) => forgetConnection(tx, ann));
  expect(await connectionById(store.db, ann)).toMatchObject({ id: ann, accountId, subject: "ann" });
  expect(await store.db.tx((tx) => endConnection(tx, end))).toBe(true);
  expect(await connectionById(store.db, ann)).toBeNull();
  expect(ids(await connectionsOf(store.db, accountId))).toEqual([ben]);
  expect(ids(await endedConnections(store.db, null))).toEqual([ann]);
  await store.db.tx((tx) => forgetConnection(tx, ann));
  expect(ids(await store.db.q.select().from(store.db.t.connections))).toEqual([ben]);
});
