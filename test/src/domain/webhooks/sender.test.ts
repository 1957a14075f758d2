import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { accessOfMaker } from "../../../../src/domain/credentials/access.ts";
import { revokeKey } from "../../../../src/domain/credentials/keys.ts";
import { eventsOf } from "../../../../src/domain/events/events.ts";
import type { NewEvent } from "../../../../src/domain/events/types.ts";
import { createGrant } from "../../../../src/domain/oauth/grants.ts";
import { setLimits } from "../../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../../src/domain/spending/limits.ts";
import { claimDeliveries, repeatDeliveries } from "../../../../src/domain/webhooks/queue.ts";
import { changeWebhook, deleteWebhook, rotateSecret } from "../../../../src/domain/webhooks/webhooks.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { liveHttp, low, sendingInEachTest } from "../../../support/events/sending.ts";
import { hookReceiver } from "../../../support/network/hook-receiver.ts";

const sending = sendingInEachTest();
const {
  store,
  box,
  now,
  relay,
  record,
  recordOf,
  senderOf,
  make,
  deliver,
  makeKey,
  deliveries,
  webhookRow,
  typesOfEvents,
} = sending;

test("an event comes once, signed, with its id, and as list_events says it", async () => {
  const { row, secret } = await make();
  await deliver(low(99));
  await deliver();
  expect(sending.receiver.received).toHaveLength(1);
  const { path, headers, body } = sending.receiver.received[0]!;
  expect([path, headers["content-type"]]).toEqual(["/hook", "application/json"]);
  const at = Number(headers["webhook-timestamp"]) * 1_000;
  expect(at).toBe(now());
  const { rows } = await eventsOf(store.db, sending.account, {
    ...{ after: null, type: "credits.low", projectId: null, limit: 1 },
  });
  expect(JSON.parse(body)).toEqual({
    type: "credits.low",
    timestamp: new Date(rows[0]!.at).toISOString(),
    data: { balance: 99, threshold: 100 },
  });
  expect(new Webhook(secret!).sign(headers["webhook-id"] as string, new Date(at), body)).toBe(
    headers["webhook-signature"],
  );
  expect(await deliveries(row.id)).toMatchObject([
    { status: "succeeded", nextAt: null, attempts: [{ status: 204, reason: null }] },
  ]);
  expect(await webhookRow(row.id)).toMatchObject({ lastSuccessAt: now(), failingSince: null });
});

test.each([
  ["redirect", { status: 302, headers: { Location: "/else" } }],
  ["refused", { status: 400 }],
  ["server_error", { status: 500 }],
] as const)("%s: the attempt has failed, and the next one follows", async (reason, answer) => {
  sending.receiver.answer(answer);
  const { row } = await make();
  await deliver(low(99));
  expect(sending.receiver.received).toHaveLength(1);
  const [delivery] = await deliveries(row.id);
  expect(delivery).toMatchObject({ status: "pending", attempts: [{ status: answer.status, reason }] });
  expect(delivery!.nextAt! - now()).toBeGreaterThanOrEqual(5 * SECOND);
  expect(delivery!.nextAt! - now()).toBeLessThanOrEqual(5.5 * SECOND);
  sending.receiver.answer({ status: 200 });
  store.clock.pass(6 * SECOND);
  await deliver();
  expect(sending.receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual(
    Array(2).fill(sending.receiver.received[0]!.headers["webhook-id"]),
  );
  expect((await deliveries(row.id))[0]).toMatchObject({ status: "succeeded", attempts: [{}, { status: 200 }] });
});

test("429 and Retry-After are heeded", async () => {
  sending.receiver.answer({ status: 429, headers: { "Retry-After": "120" } });
  const { row } = await make();
  await deliver(low(99));
  expect((await deliveries(row.id))[0]!.nextAt).toBe(now() + 2 * MINUTE);
});

test("ten attempts in about three days, and then the delivery has failed", async () => {
  sending.receiver.answer({ status: 503 });
  const { row } = await make();
  await deliver(low(99));
  for (let attempt = 2; attempt <= 10; attempt++) {
    const [waiting] = await deliveries(row.id);
    store.clock.pass(waiting!.nextAt! - now());
    await deliver();
    expect(sending.receiver.received).toHaveLength(attempt);
  }
  expect(await deliveries(row.id)).toMatchObject([{ status: "failed", nextAt: null }]);
});

test("410 disables the webhook, and its owner is told by an event", async () => {
  sending.receiver.answer({ status: 410 });
  const { row } = await make();
  await deliver(low(99), low(98));
  expect((await webhookRow(row.id)).status).toBe("disabled");
  expect((await deliveries(row.id)).every(({ nextAt }) => nextAt === null)).toBe(true);
  expect(await typesOfEvents()).toContain("webhook.disabled");
  await deliver(low(97));
  expect(sending.receiver.received.length).toBeLessThanOrEqual(2);
});

test("five days of nothing but failures disable the webhook; one success in between does not let it come to that", async () => {
  sending.receiver.answer({ status: 500 });
  const { row } = await make();
  await deliver(low(99));
  store.clock.pass(4 * DAY);
  sending.receiver.answer({ status: 200 });
  await deliver(low(98));
  sending.receiver.answer({ status: 500 });
  await deliver(low(97));
  store.clock.pass(4 * DAY);
  await deliver(low(96));
  expect((await webhookRow(row.id)).status).toBe("active");
  store.clock.pass(DAY);
  await deliver(low(95));
  expect((await webhookRow(row.id)).status).toBe("disabled");
});

test("a webhook gets events of its types alone, and none from before it was made", async () => {
  await record(low(99));
  store.clock.pass(SECOND);
  await make({ types: ["site.verified"] });
  await deliver(low(98), { type: "site.verified", data: { site_id: "site_1", host: "example.com" } });
  expect(sending.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(["site.verified"]);
});

test("events of keys, apps, agents and orders go to the person's webhooks, and to no credential's", async () => {
  const paid = { order_id: "ord_1", pack: "basic", credits: 1, amount_cents: 1, currency: "usd", method: "card" };
  const order: NewEvent = { type: "order.paid", data: paid };
  const key = await makeKey();
  await make({ maker: key.id, url: `${sending.receiver.url}/key` });
  await make({ url: `${sending.receiver.url}/person` });
  await deliver(order);
  expect(sending.receiver.received.map(({ path, body }) => [path, JSON.parse(body).type])).toEqual([
    ["/person", "order.paid"],
  ]);
});

test("a webhook ends with the credential that made it", async () => {
  const key = await makeKey();
  const { row } = await make({ maker: key.id });
  await deliver(low(99));
  expect(sending.receiver.received).toHaveLength(1);
  await store.db.tx((tx) => revokeKey(tx, key.id, now()));
  await deliver(low(98));
  expect(sending.receiver.received).toHaveLength(1);
  expect((await webhookRow(row.id)).status).toBe("disabled");
});

test("law: a webhook of a key without `read` hears nothing of the account", async () => {
  const { id } = await makeKey(["index", "purchase"]);
  const { row } = await make({ maker: id });
  await deliver(low(99));
  expect(sending.receiver.received).toEqual([]);
  expect((await webhookRow(row.id)).status).toBe("disabled");
});

test.each([
  ["a key", "apiKeys", async () => (await makeKey()).id],
  ["an app", "grants", () => makeGrant(store, sending.account)],
] as const)("law: %s that loses `read` hears nothing more, not even what has waited", async (_, table, makeMaker) => {
  const id = await makeMaker();
  const { row } = await make({ maker: id });
  sending.receiver.answer({ status: 500 });
  await deliver(low(99));
  sending.receiver.answer({ status: 200 });
  const target = store.db.t[table];
  await store.db.tx(({ q }) => q.update(target).set({ scopes: "index" }).where(eq(target.id, id)));
  store.clock.pass(MINUTE);
  sending.receiver.received.length = 0;
  await deliver(low(98));
  expect(sending.receiver.received).toEqual([]);
  expect((await webhookRow(row.id)).status).toBe("disabled");
  expect((await deliveries(row.id)).map(({ status }) => status)).not.toContain("pending");
});

test("law: a webhook ends with the last day of the app that made it", async () => {
  const maker = await makeGrant(store, sending.account);
  await make({ maker });
  await deliver(low(99));
  expect(sending.receiver.received).toHaveLength(1);
  const { holder } = (await accessOfMaker(store.db, sending.account, maker))!.credential;
  const limits = { ...NO_LIMITS, expiresAt: now() + DAY };
  await store.db.tx((tx) => setLimits(tx, { accountId: sending.account, holder }, limits));
  store.clock.pass(DAY);
  await deliver(low(98));
  expect(sending.receiver.received).toHaveLength(1);
});

/** Connects an app, as the maker of webhooks. @returns the id of its grant */
async function makeGrant({ db, clock }: typeof store, accountId: string): Promise<string> {
  const app = { accountId, kind: "oauth", clientId: null, name: "app", scopes: ["read", "index"] } as const;
  const id = await db.tx((tx) => createGrant(tx, { ...app, now: clock.now() }));
  await relay();
  return id;
}

test("paused: nothing is sent, and everything when it is active again", async () => {
  const { row } = await make();
  await store.db.tx((tx) => changeWebhook(tx, row, { status: "paused" }, now()));
  await deliver(low(99), low(98));
  expect(sending.receiver.received).toEqual([]);
  await store.db.tx((tx) => changeWebhook(tx, row, { status: "active" }, now()));
  await deliver();
  expect(sending.receiver.received).toHaveLength(2);
});

test("a secret rotated while a delivery waits: the next attempt has both signatures, for 24 hours", async () => {
  const { row, secret: old } = await make();
  sending.receiver.answer({ status: 500 });
  await deliver(low(99));
  sending.receiver.answer({ status: 200 });
  const { secret } = await store.db.tx((tx) => rotateSecret(tx, box, row, now()));
  store.clock.pass(6 * SECOND);
  await deliver();
  const verified = (known: string) => {
    const { headers, body } = sending.receiver.received.at(-1)!;
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    const expected = new Webhook(known).sign(headers["webhook-id"] as string, at, body);
    return (headers["webhook-signature"] as string).split(" ").includes(expected);
  };
  expect([verified(old!), verified(secret!)]).toEqual([true, true]);
  store.clock.pass(24 * HOUR);
  await deliver(low(98));
  expect([verified(old!), verified(secret!)]).toEqual([false, true]);
});

test("deleted while a delivery waits: nothing is sent, and nothing is left", async () => {
  const { row } = await make();
  sending.receiver.answer({ status: 500 });
  await deliver(low(99));
  await store.db.tx((tx) => deleteWebhook(tx, row));
  store.clock.pass(MINUTE);
  await deliver(low(98));
  expect(sending.receiver.received).toHaveLength(1);
  expect(await deliveries(row.id)).toEqual([]);
});

test("repeated: what has arrived is sent again with the same ids, in order, and what has failed, too", async () => {
  const { row } = await make();
  await deliver(low(99), low(98), low(97));
  const ids = sending.receiver.received.map(({ headers }) => headers["webhook-id"]).sort();
  const queued = await store.db.tx((tx) => repeatDeliveries(tx, row, { since: 0 }, now()));
  // Those from before the webhook was made belong to the account as well.
  expect(queued).toBeGreaterThanOrEqual(3);
  sending.receiver.received.length = 0;
  store.clock.pass(SECOND);
  await deliver();
  const again = sending.receiver.received.map(({ headers }) => headers["webhook-id"]);
  for (const id of ids) expect(again).toContain(id);
  expect(again).toHaveLength(queued);
});

test("a process that is killed between sending and noting: another one sends it again when the claim ends", async () => {
  const { row } = await make();
  await record(low(99));
  await relay();
  const claim = { lease: "dead", leaseUntil: now() + MINUTE, now: now(), limit: 9, fullHosts: [], fullAccounts: [] };
  const open = { roomOf: () => 9, isUnproven: () => false, leftForUnproven: 9, provenHosts: [] };
  expect(await claimDeliveries(store.db, { ...claim, ...open })).toHaveLength(1);
  await senderOf().drain();
  expect(sending.receiver.received).toHaveLength(0);
  store.clock.pass(MINUTE);
  await Promise.all([senderOf().drain(), senderOf().drain()]);
  expect(sending.receiver.received).toHaveLength(1);
  expect(await deliveries(row.id)).toMatchObject([{ status: "succeeded" }]);
});

test("a receiver that hangs has two messages in hand, and holds up no other", async () => {
  const hanging = await hookReceiver();
  hanging.answer("never");
  const other = await store.account(150);
  await relay();
  await make({ url: `${hanging.url}/hook` });
  await make({ accountId: other });
  await record(...Array.from({ length: 40 }, (_, n) => low(n)));
  await recordOf(other, ...Array.from({ length: 40 }, (_, n) => low(n)));
  await relay();
  const sender = senderOf();
  const draining = sender.drain();
  await expect.poll(() => sending.receiver.received.length, { timeout: 10_000 }).toBe(40);
  expect(hanging.received).toHaveLength(2);
  await sender.stop();
  await draining;
  await hanging.close();
});

test("a private host is refused at each attempt, also when its name led elsewhere as it was saved", async () => {
  let address = "93.184.215.14";
  const resolve = async () => [{ address, family: 4 }];
  const guarded = liveHttp({ resolve });
  await guarded.checkPublic("https://hooks.example.com/x");
  const { row } = await make({ url: "https://hooks.example.com/x" });
  address = "10.0.0.1";
  await record(low(99));
  await relay();
  await senderOf(guarded).drain();
  expect(await deliveries(row.id)).toMatchObject([{ attempts: [{ status: null, reason: "not_public" }] }]);
  await expect(guarded.checkPublic("https://hooks.example.com/x")).rejects.toMatchObject({ problem: "not_public" });
  await guarded.close();
});
