import { expect, test } from "vitest";
import { beginAttempt, purgeAttempts, takeAttempt } from "../../../../src/domain/connections/attempts.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { connectionBox as box } from "../../../support/database/connections.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const ANN = { accountId: "acc_ann", sessionId: "ses_ann" };

const begin = (withSitemaps: boolean) =>
  store.db.tx((tx) => beginAttempt(tx, box, { ...ANN, now: store.clock.now(), withSitemaps }));
const take = (state: string, asker = ANN) =>
  store.db.tx((tx) => takeAttempt(tx, box, { ...asker, now: store.clock.now(), state }));

test("an attempt is answered once, by its own session and account, and not after half an hour", async () => {
  const first = await begin(true);
  const second = await begin(false);
  expect(first.attempt).toMatchObject({ withSitemaps: true, verifier: expect.stringMatching(/^[\w-]{43}$/) });
  expect(await take(first.state, { ...ANN, sessionId: "ses_ben" })).toBeNull();
  expect(await take(first.state, { ...ANN, accountId: "acc_ben" })).toBeNull();
  store.clock.pass(30 * MINUTE - 1);
  // What others have tried has not used it up.
  expect(await take(first.state)).toEqual(first.attempt);
  expect(await take(first.state)).toBeNull();
  store.clock.pass(1);
  expect(await take(second.state)).toBeNull();
});

test("only attempts whose time is over are deleted", async () => {
  await begin(false);
  store.clock.pass(1);
  const { state, attempt } = await begin(false);
  store.clock.pass(30 * MINUTE - 1);
  await purgeAttempts(store.db, store.clock.now());
  expect(await store.db.q.select().from(store.db.t.connectionAttempts)).toHaveLength(1);
  expect(await take(state)).toEqual(attempt);
});
