import { expect, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { openEmpty } from "../../support/database/open-empty.ts";
import { until } from "../../support/service/held-timers.ts";

test("law: the next test gets the engine empty, and what an earlier one has left behind begins no transaction in it", async () => {
  const first = await openEmpty();
  await first.db.tx((tx) => createAccount(tx, { email: "ann@example.com", now: 0 }));
  await first.release();
  const next = await openEmpty();
  expect(next.url).toBe(first.url);
  expect(await next.db.q.select().from(next.db.t.accounts)).toEqual([]);
  await expect(first.db.tx(async () => undefined)).rejects.toThrow("has released it");
  await next.release();
});

test("law: an engine that has something under way is closed, and not given to the next test", async () => {
  const busy = await openEmpty();
  let finish: (() => void) | undefined;
  const working = busy.db.tx(() => new Promise<void>((resolve) => (finish = resolve)));
  await until(() => finish !== undefined);
  const released = busy.release();
  finish!();
  await Promise.all([working, released]);
  await expect(busy.db.now()).rejects.toThrow("after calling end");
});

test("law: an engine that is not alone on its database is closed, and not given to the next test", async () => {
  const shared = await openEmpty();
  const other = await openDatabase(shared.url);
  await other.now();
  await shared.release();
  await expect(shared.db.now()).rejects.toThrow("after calling end");
  await other.close();
});
