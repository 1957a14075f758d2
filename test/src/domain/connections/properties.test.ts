import { beforeEach, expect, test } from "vitest";
import {
  type ConnectionFailure,
  connectionById,
  propertiesIn,
} from "../../../../src/domain/connections/connections.ts";
import { endConnection } from "../../../../src/domain/connections/end.ts";
import {
  dueConnections,
  lookAt,
  recordFailing,
  recordProperties,
} from "../../../../src/domain/connections/properties.ts";
import { saveConnection } from "../../../../src/domain/connections/save.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { connectionBox, newConnection } from "../../../support/database/connections.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const now = () => store.clock.now();
const PROPERTIES = [{ name: "sc-domain:example.com", permission: "siteOwner" }];

async function connect(subject: string) {
  return (await store.db.tx((tx) => saveConnection(tx, connectionBox, newConnection(accountId, subject, now()))))!;
}

const read = (id: string) => store.db.tx((tx) => recordProperties(tx, id, PROPERTIES, now()));
const fail = (id: string, failure: ConnectionFailure) => store.db.tx((tx) => recordFailing(tx, id, failure, now()));
const due = async () => (await dueConnections(store.db, now())).map(({ id }) => id);

test("connections are read when they are due, the longest due first, and those that have ended no more", async () => {
  const [ann, ben, cat] = [await connect("ann"), await connect("ben"), await connect("cat")];
  await store.db.tx((tx) => lookAt(tx, ben, now() - 1));
  expect(await due()).toEqual([ben]);
  store.clock.pass(HOUR);
  await store.db.tx((tx) =>
    endConnection(tx, { accountId, personId: "per_ann", id: cat, ip: "127.0.0.1", now: now() }),
  );
  expect(await due()).toEqual([ben, ann]);
  await read(ben);
  await read(cat);
  expect(await due()).toEqual([ann]);
  const { properties, ...looked } = (await connectionById(store.db, ben))!;
  expect(looked).toMatchObject({ checkedAt: now(), nextLookAt: now() + DAY });
  expect(JSON.parse(properties)).toEqual(PROPERTIES);
  // What was read of one is not another's, and nothing is written to one that has ended.
  const others = (await store.db.q.select().from(store.db.t.connections)).filter(({ id }) => id !== ben);
  expect(others.map((row) => propertiesIn(row))).toEqual([[], []]);
});

test("a connection that gives no access is told of once, until it works again", async () => {
  const [ann, ben] = [await connect("ann"), await connect("ben")];
  const since = now();
  await fail(ann, "access_revoked");
  store.clock.pass(DAY);
  await fail(ann, "no_answer");
  const failing = { failingSince: since, failure: "access_revoked", nextLookAt: now() + DAY };
  expect(await connectionById(store.db, ann)).toMatchObject(failing);
  expect(await connectionById(store.db, ben)).toMatchObject({ failingSince: null, nextLookAt: since + HOUR });
  const told = async () => {
    const events = await store.db.q.select().from(store.db.t.events);
    return events.filter(({ type }) => type === "connection.failing").map(({ data }) => JSON.parse(data));
  };
  const event = { connection_id: ann, kind: "search_console", name: "ann@example.com", reason: "access_revoked" };
  expect(await told()).toEqual([event]);
  await read(ann);
  expect(await connectionById(store.db, ann)).toMatchObject({ failingSince: null, failure: null });
  await fail(ann, "no_answer");
  expect(await told()).toEqual([event, { ...event, reason: "no_answer" }]);
});
