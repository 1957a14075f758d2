import { beforeEach, expect, test } from "vitest";
import { recordEvents } from "../../../../src/domain/events/record.ts";
import { relayEvents } from "../../../../src/domain/events/relay.ts";
import { noteSubscribedAttempt, subscribedDeliveries } from "../../../../src/domain/subscriptions/deliveries.ts";
import { queueForSubscriptions } from "../../../../src/domain/subscriptions/queue.ts";
import { saveSubscription } from "../../../../src/domain/subscriptions/save.ts";
import { deleteSubscriptions, type SubscriptionRow } from "../../../../src/domain/subscriptions/subscriptions.ts";
import type { FailureReason } from "../../../../src/domain/webhooks/attempt.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { testStore } from "../../../support/database/store.ts";
import { settled } from "../../../support/mcp/events.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const box = new SecretBox(() => [Buffer.alloc(32, 7)]);
const now = () => store.clock.now();
const PROJECTS = ["prj_0000000000001", "prj_0000000000002"] as const;

/** A subscription of an account of its own, which two events wait for. */
async function subscribed(projects: readonly string[]): Promise<SubscriptionRow> {
  const accountId = await store.account(0);
  const url = "https://example.com/";
  const key = { accountId, maker: `key_of_${accountId}`, url, type: "links.settled", narrowing: {} } as const;
  const wish = { secret: "whsec_", expiresAt: now() + DAY, position: null, now: now() };
  const { row } = (await store.db.tx((tx) => saveSubscription(tx, box, key, wish)))!;
  await store.db.tx((tx) =>
    recordEvents(
      tx,
      accountId,
      projects.map((id) => settled(id)),
      now(),
    ),
  );
  await relayEvents(store.db, [queueForSubscriptions], now);
  return row;
}

let ann: SubscriptionRow;
let ben: SubscriptionRow;
beforeEach(async () => {
  ann = await subscribed(PROJECTS);
  ben = await subscribed(PROJECTS.toReversed());
});

async function deliveriesOf({ id }: SubscriptionRow) {
  const rows = await store.db.q.select().from(store.db.t.webhookDeliveries);
  return rows.filter(({ targetId }) => targetId === id).sort((a, b) => a.eventNo - b.eventNo);
}

test("a delivery is of its own account's event, and says how far its receiver is told by it; of what has ended there is none", async () => {
  const [anns, bens] = [await deliveriesOf(ann), await deliveriesOf(ben)];
  const ofWebhook = { ...anns[0]!, targetId: "whk_1" };
  const found = await subscribedDeliveries(store.db, [...anns, ofWebhook, ...bens]);
  const first = anns[0]!.eventNo;
  expect(
    found.map(({ id, subscription, event, position }) => [id, subscription.id, event.projectId, position]),
  ).toEqual([
    [anns[0]!.id, ann.id, PROJECTS[0], first],
    // The first one waits still.
    [anns[1]!.id, ann.id, PROJECTS[1], first - 1],
    [bens[0]!.id, ben.id, PROJECTS[1], first],
    [bens[1]!.id, ben.id, PROJECTS[0], first - 1],
  ]);
  await store.db.tx((tx) => deleteSubscriptions(tx, [ann.id]));
  const left = await subscribedDeliveries(store.db, [...anns, ...bens]);
  expect(left.map(({ subscription }) => subscription.id)).toEqual([ben.id, ben.id]);
});

test("a subscription fails since the first failure until a success, and one whose receiver is gone gets nothing more", async () => {
  const note = (reason: FailureReason | null) =>
    store.db.tx((tx) => noteSubscribedAttempt(tx, ann, { at: now() - 1, status: null, ms: 1, reason }, now()));
  const stateOf = async (of: SubscriptionRow) => {
    const rows = await store.db.q.select().from(store.db.t.eventSubscriptions);
    const { failingSince, lastFailureReason, lastSuccessAt, suspendedAt } = rows.find(({ id }) => id === of.id)!;
    return [failingSince, lastFailureReason, lastSuccessAt, suspendedAt];
  };
  const heldOf = async (of: SubscriptionRow) => (await deliveriesOf(of)).filter(({ nextAt }) => nextAt === null).length;
  const since = now() - 1;
  await note("timeout");
  store.clock.pass(MINUTE);
  await note("refused");
  expect(await stateOf(ann)).toEqual([since, "refused", null, null]);
  expect(await heldOf(ann)).toBe(0);
  const success = now();
  await note(null);
  expect(await stateOf(ann)).toEqual([null, "refused", success, null]);
  store.clock.pass(MINUTE);
  await note("gone");
  expect(await stateOf(ann)).toEqual([now() - 1, "gone", success, now()]);
  expect(await heldOf(ann)).toBe(2);
  expect(await stateOf(ben)).toEqual([null, null, null, null]);
  expect(await heldOf(ben)).toBe(0);
});
