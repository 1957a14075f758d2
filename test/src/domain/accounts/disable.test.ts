import { expect, test } from "vitest";
import { setDisabled } from "../../../../src/domain/accounts/disable.ts";
import { timesOf } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const set = (accountId: string, reason: string | null) =>
  store.db.tx((tx) => setDisabled(tx, { accountId, reason, times: timesOf(store.clock) }));

/** When an account was disabled and why, and what its log says of that. */
async function state() {
  const { accounts, securityEvents } = store.db.t;
  const [account] = await store.db.q.select().from(accounts);
  const log = await store.db.q.select().from(securityEvents).orderBy(securityEvents.id);
  const said = log.filter(({ kind }) => kind.startsWith("account_")).map(({ kind, subject }) => [kind, subject]);
  return { at: account!.disabledAt, reason: account!.disabledReason, said };
}

test("law: an account that is not disabled cannot be enabled, and nothing is written", async () => {
  const id = await store.account(0);
  const before = await state();
  expect(await set(id, null)).toBe(false);
  expect(await state()).toEqual(before);
  await set(id, "Spam.");
  expect(await set(id, null)).toBe(true);
  expect(await state()).toMatchObject({ at: null, reason: null });
  expect(await set(id, null)).toBe(false);
});

test("law: a second reason replaces the first, and the account stays disabled since the first", async () => {
  const id = await store.account(0);
  await set(id, "Spam.");
  const { at } = await state();
  expect(at).not.toBeNull();
  store.clock.pass(1_000);
  expect(await set(id, "Complaints.")).toBe(true);
  expect(await state()).toEqual({
    at,
    reason: "Complaints.",
    said: [
      ["account_disabled", "Spam."],
      ["account_disabled", "Complaints."],
    ],
  });
});
