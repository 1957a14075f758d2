import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { audit } from "../../../../src/domain/audit/audit.ts";
import { principalOfKey } from "../../../../src/domain/credentials/identify.ts";
import { createKey } from "../../../../src/domain/credentials/keys.ts";
import { recordEvents } from "../../../../src/domain/events/record.ts";
import { relayEvents } from "../../../../src/domain/events/relay.ts";
import { queueForSubscriptions } from "../../../../src/domain/subscriptions/queue.ts";
import { saveSubscription } from "../../../../src/domain/subscriptions/save.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { testStore } from "../../../support/database/store.ts";
import { low } from "../../../support/mcp/events.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const box = new SecretBox(() => [Buffer.alloc(32, 7)]);
const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const problems = async () => (await audit(store.db)).problems;

/** A subscription of a key, with an event that waits for it. @returns its id and the key's */
async function subscribed(): Promise<{ id: string; maker: string }> {
  const [accountId, now] = [await store.account(0), store.clock.now()];
  const key = await store.db.tx((tx) => createKey(tx, { accountId, name: "k", mode: "sandbox", now }));
  const maker = (await principalOfKey(store.db, key, now))!.credential.id;
  const about = { accountId, maker, url: "https://example.com/", type: "credits.low", narrowing: {} } as const;
  const wish = { secret, expiresAt: now + DAY, position: null, now };
  const saved = await store.db.tx((tx) => saveSubscription(tx, box, about, wish));
  await store.db.tx((tx) => recordEvents(tx, accountId, [low], now));
  await relayEvents(store.db, [queueForSubscriptions], () => now);
  expect(await problems()).toEqual([]);
  return { id: saved!.row.id, maker };
}

test("a subscription whose key was revoked behind its back is found", async () => {
  const { id, maker } = await subscribed();
  const { apiKeys } = store.db.t;
  await store.db.tx((tx) => tx.q.update(apiKeys).set({ revokedAt: 1 }).where(eq(apiKeys.id, maker)));
  expect(await problems()).toEqual([`subscription ${id} goes on, and its credential was revoked`]);
});

test("what waits for a subscription that is not there is found", async () => {
  const { id } = await subscribed();
  await store.db.tx((tx) => tx.q.delete(tx.t.eventSubscriptions));
  expect(await problems()).toEqual([`deliveries wait for subscription ${id}, which there is not`]);
});
