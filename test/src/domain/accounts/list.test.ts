import { expect, test } from "vitest";
import { setDisabled } from "../../../../src/domain/accounts/disable.ts";
import { accountsOf } from "../../../../src/domain/accounts/list.ts";
import { timesOf } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("accounts are listed newest first, a page at a time, and disabled ones by themselves", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) {
    ids.unshift(await store.account(0));
    store.clock.pass(1_000);
  }
  const { rows, hasMore } = await accountsOf(store.db, { isDisabled: false, limit: 2 });
  expect([rows.map(({ id }) => id), hasMore]).toEqual([ids.slice(0, 2), true]);
  const disabled = { accountId: ids[2]!, reason: "spam", times: timesOf(store.clock) };
  await store.db.tx((tx) => setDisabled(tx, disabled));
  expect((await accountsOf(store.db, { isDisabled: true, limit: 2 })).rows.map(({ id }) => id)).toEqual([ids[2]]);
});
