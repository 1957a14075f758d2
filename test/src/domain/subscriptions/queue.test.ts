import { expect, test } from "vitest";
import { recordEvents } from "../../../../src/domain/events/record.ts";
import { relayEvents } from "../../../../src/domain/events/relay.ts";
import { queueForSubscriptions } from "../../../../src/domain/subscriptions/queue.ts";
import { saveSubscription } from "../../../../src/domain/subscriptions/save.ts";
import { purgeEventSubscriptions } from "../../../../src/domain/subscriptions/subscriptions.ts";
import { SUBSCRIPTION_TERMS } from "../../../../src/domain/subscriptions/terms.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { testStore } from "../../../support/database/store.ts";
import { settled } from "../../../support/mcp/events.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const box = new SecretBox(() => [Buffer.alloc(32, 7)]);
const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

const now = () => store.clock.now();

/** The n-th subscription of a maker, or as often as it is asked for the same. */
function save(accountId: string, maker: string, n: number) {
  const key = { accountId, maker, url: `https://example.com/${n}`, type: "links.settled", narrowing: {} } as const;
  const wish = { secret, expiresAt: now() + DAY, position: null, now: now() };
  return store.db.tx((tx) => saveSubscription(tx, box, key, wish));
}

const relay = () => relayEvents(store.db, [queueForSubscriptions], now);
const deliveries = () => store.db.q.select().from(store.db.t.webhookDeliveries);

test("law: of a thousand subscriptions that a maker asks for it has a hundred", async () => {
  const account = await store.account(0);
  const saved = [];
  for (let n = 0; n < 1_000; n++) saved.push(await save(account, "key_1", n));
  expect(saved.filter((one) => one !== null)).toHaveLength(SUBSCRIPTION_TERMS.perCredential);
});

test("law: a thousand subscriptions of an account are told of an event once each, by whatever makes it due twice", async () => {
  const account = await store.account(0);
  for (let n = 0; n < 1_000; n++) await save(account, `key_${n % 10}`, n);
  await relay();
  await store.db.tx((tx) => recordEvents(tx, account, [settled()], now()));
  await relay();
  const queued = await deliveries();
  expect(queued).toHaveLength(1_000);
  const [event] = await store.db.q.select().from(store.db.t.events);
  await store.db.tx((tx) =>
    queueForSubscriptions(tx, [{ ...event!, no: queued[0]!.eventNo, type: "links.settled" }], now()),
  );
  expect(await deliveries()).toHaveLength(1_000);
});

test("an event from before a subscription is not told, though it is handed on after", async () => {
  const account = await store.account(0);
  await save(account, "key_1", 0);
  await store.db.tx((tx) => recordEvents(tx, account, [settled()], now()));
  await save(account, "key_1", 1);
  await relay();
  expect(await deliveries()).toHaveLength(1);
});

test("subscriptions that have ended are deleted with what waits for them", async () => {
  const account = await store.account(0);
  await save(account, "key_1", 0);
  await store.db.tx((tx) => recordEvents(tx, account, [settled()], now()));
  await relay();
  await purgeEventSubscriptions(store.db, now() + DAY - 1);
  expect(await deliveries()).toHaveLength(1);
  await purgeEventSubscriptions(store.db, now() + DAY);
  expect(await deliveries()).toEqual([]);
  expect(await store.db.q.select().from(store.db.t.eventSubscriptions)).toEqual([]);
});
