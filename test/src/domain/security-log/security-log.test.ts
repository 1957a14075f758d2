import { expect, test } from "vitest";
import {
  CHANGES,
  purgeSecurityEvents,
  recordSecurityEvent,
  SECURITY_LOG_KEPT,
  type SecurityEvent,
  securityEventsOf,
} from "../../../../src/domain/security-log/security-log.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const ANN = { accountId: "a", personId: "ann", isWhole: true };

const record = (kind: SecurityEvent, subject: string, accountId = "a") =>
  store.db.tx((tx) => recordSecurityEvent(tx, { accountId, kind, subject, ip: "192.0.2.1", now: store.clock.now() }));

test("a page of an account's log, newest first", async () => {
  await record("signed_in", "Firefox on Linux");
  await record("signed_in", "somebody else's", "b");
  for (let n = 0; n < 4; n++) await record("key_created", `key ${n}`);
  const page = async (limit: number, offset: number) => {
    const { rows, hasMore } = await securityEventsOf(store.db, ANN, { limit, offset });
    return [rows.map(({ subject }) => subject), hasMore];
  };
  expect(await page(2, 0)).toEqual([["key 3", "key 2"], true]);
  expect(await page(2, 2)).toEqual([["key 1", "key 0"], true]);
  expect(await page(2, 4)).toEqual([["Firefox on Linux"], false]);
  expect((await page(5, 0))[1]).toBe(false);
});

test("an event is written in the transaction of what happened; a long name is cut", async () => {
  const failing = store.db.tx(async (tx) => {
    await recordSecurityEvent(tx, { accountId: "a", kind: "key_created", subject: "x", now: store.clock.now() });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect((await securityEventsOf(store.db, ANN, { limit: 1, offset: 0 })).rows).toEqual([]);
  await record("app_connected", "x".repeat(5_000));
  const { rows } = await securityEventsOf(store.db, ANN, { limit: 1, offset: 0 });
  expect(rows[0]).toMatchObject({ subject: "x".repeat(200), at: store.clock.now(), ip: "192.0.2.1" });
});

test.each(Object.entries(CHANGES))("%s has a text: %s", (_, words) => {
  expect(words).toMatch(/^[A-Z][^.]+$/);
});

test("events are deleted after 400 days", async () => {
  await record("signed_in", "Firefox");
  const left = async () => {
    await purgeSecurityEvents(store.db, store.clock.now());
    return (await securityEventsOf(store.db, ANN, { limit: 10, offset: 0 })).rows.length;
  };
  store.clock.pass(SECURITY_LOG_KEPT);
  expect(await left()).toBe(1);
  store.clock.pass(1);
  expect(await left()).toBe(0);
});
