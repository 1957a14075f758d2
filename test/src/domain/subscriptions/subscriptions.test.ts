import { beforeEach, expect, test } from "vitest";
import {
  createSubscription,
  findSubscription,
  renewSubscription,
  SECRET_OVERLAP,
  type SubscriptionKey,
  secretsOf,
} from "../../../../src/domain/subscriptions/subscriptions.ts";
import { holdDeliveries, insertDeliveries, newDelivery } from "../../../../src/domain/webhooks/queue.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const box = new SecretBox(() => [Buffer.alloc(32, 7)]);
const now = () => store.clock.now();

let accountId: string;
beforeEach(async () => {
  accountId = await store.account(0);
});

const keyAt = (url: string): SubscriptionKey => ({
  ...{ accountId, maker: "key_1", url, type: "links.settled", narrowing: {} },
});
const terms = (secret: string) => ({ secret, expiresAt: now() + DAY, now: now() });

/** A subscription that is suspended, since its receiver was gone, with a delivery that is held. */
async function suspended(url: string) {
  return store.db.tx(async (tx) => {
    const row = await createSubscription(tx, box, keyAt(url), { ...terms("first"), eventsBefore: 0 });
    await insertDeliveries(tx, [newDelivery(row, 1, now(), now())]);
    await holdDeliveries(tx, row.id);
    const { eventSubscriptions } = tx.t;
    await tx.q.update(eventSubscriptions).set({ suspendedAt: now(), failingSince: now() }).returning();
    return { ...row, suspendedAt: now(), failingSince: now() };
  });
}

test("a subscription that is asked for again goes on by its new secret, with what was held; others stay as they are", async () => {
  const [one, other] = [await suspended("https://one.example/"), await suspended("https://two.example/")];
  store.clock.pass(HOUR);
  const renewed = await store.db.tx((tx) => renewSubscription(tx, box, one, terms("second")));
  expect(renewed).toMatchObject({ id: one.id, expiresAt: now() + DAY, suspendedAt: null, failingSince: null });
  expect(secretsOf(box, renewed, now() + SECRET_OVERLAP - 1)).toEqual(["second", "first"]);
  expect(secretsOf(box, renewed, now() + SECRET_OVERLAP)).toEqual(["second"]);
  expect(await findSubscription(store.db, keyAt("https://one.example/"), now())).toEqual(renewed);
  expect(await findSubscription(store.db, keyAt("https://two.example/"), now())).toEqual(other);
  const rows = await store.db.q.select().from(store.db.t.webhookDeliveries);
  expect(Object.fromEntries(rows.map(({ targetId, nextAt }) => [targetId, nextAt]))).toEqual({
    [one.id]: now(),
    [other.id]: null,
  });
});

test("a subscription that is asked for again with the same secret has no other one before", async () => {
  const one = await suspended("https://one.example/");
  const renewed = await store.db.tx((tx) => renewSubscription(tx, box, one, terms("first")));
  expect(renewed).toMatchObject({ sealedSecret: one.sealedSecret, sealedPreviousSecret: null, previousUntil: null });
});
