import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { revokeKey } from "../../../../src/domain/credentials/keys.ts";
import { recordEvents } from "../../../../src/domain/events/record.ts";
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from "../../../../src/domain/webhooks/webhooks.ts";
import { SECOND } from "../../../../src/platform/clock.ts";
import { FetchFailure, type HttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { runsOf } from "../../../support/checks/fuzz-runs.ts";
import { low, sendingInEachTest } from "../../../support/events/sending.ts";
import { hookReceiver } from "../../../support/network/hook-receiver.ts";
import { eventually } from "../../../support/service/eventually.ts";

const sending = sendingInEachTest();
const { store, box, now, relay, record, recordOf, senderOf, make, makeKey, deliver, deliveries, webhookRow } = sending;

/** Sends events, and does something while the receiver has the first of them in hand. It then answers all of them so. */
async function whileInHand(status: number, change: () => Promise<unknown>): Promise<void> {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  sending.receiver.answer({ status, after });
  await relay();
  const drained = senderOf().drain();
  await eventually(() => expect(sending.receiver.received.length).toBeGreaterThan(0));
  await change();
  release();
  await drained;
}

test("a secret rotated during a delivery: that message has the old signature, the next attempt has both", async () => {
  const { row, secret: old } = await make();
  await record(low(99));
  let secret: string | null = null;
  await whileInHand(500, async () => {
    ({ secret } = await store.db.tx((tx) => rotateSecret(tx, box, row, now())));
  });
  sending.receiver.answer({ status: 204 });
  store.clock.pass(6 * SECOND);
  await deliver();
  const signedBy = (index: number, known: string) => {
    const { headers, body } = sending.receiver.received[index]!;
    const at = new Date(Number(headers["webhook-timestamp"]) * SECOND);
    const expected = new Webhook(known).sign(headers["webhook-id"] as string, at, body);
    return (headers["webhook-signature"] as string).split(" ").includes(expected);
  };
  expect([signedBy(0, old!), signedBy(0, secret!)]).toEqual([true, false]);
  expect([signedBy(1, old!), signedBy(1, secret!)]).toEqual([true, true]);
});

test("events that wait for a webhook with a changed URL go to the new URL, and count for its host", async () => {
  const { row } = await make();
  sending.receiver.answer({ status: 500 });
  await deliver(low(99));
  const other = await hookReceiver();
  await store.db.tx((tx) => changeWebhook(tx, row, { url: `${other.url}/new` }, now()));
  expect((await deliveries(row.id)).map(({ host }) => `http://${host}`)).toEqual([other.url]);
  store.clock.pass(6 * SECOND);
  await deliver();
  expect(other.received.map(({ path }) => path)).toEqual(["/new"]);
  await other.close();
});

test.each([204, 410, 500])(
  "webhook deleted in mid-delivery, which is answered %i: nothing is left of it, and no more is sent",
  async (status) => {
    const { row } = await make();
    await record(low(99), low(98), low(97));
    await whileInHand(status, () => store.db.tx((tx) => deleteWebhook(tx, row)));
    const { length } = sending.receiver.received;
    store.clock.pass(60 * SECOND);
    await deliver(low(96));
    expect(sending.receiver.received).toHaveLength(length);
    expect(await deliveries(row.id)).toEqual([]);
    expect(await store.db.q.select().from(store.db.t.webhooks)).toEqual([]);
  },
);

test.each([204, 500])(
  "the account's key revoked in mid-delivery, which is answered %i: no more is sent, and the owner is told",
  async (status) => {
    const key = await makeKey();
    const { row } = await make({ maker: key.id });
    await record(...Array.from({ length: 10 }, (_, n) => low(n)));
    await whileInHand(status, () => store.db.tx((tx) => revokeKey(tx, key.id, now())));
    const { length } = sending.receiver.received;
    expect(length).toBeLessThanOrEqual(2);
    expect(await webhookRow(row.id)).toMatchObject({ status: "disabled" });
    store.clock.pass(60 * SECOND);
    await deliver(low(96));
    expect(sending.receiver.received).toHaveLength(length);
    expect(await sending.typesOfEvents()).toContain("webhook.disabled");
  },
);

/** Accounts that have a webhook on one host. */
const ON_ONE_HOST = runsOf({ usually: 100, deep: 1_000 });

test(`${ON_ONE_HOST} webhooks of as many accounts on one host: it has eight messages in hand, all arrive, and no other host waits`, async () => {
  const busy = await hookReceiver();
  const release = { all: () => {} };
  busy.answer({ status: 204, after: new Promise<void>((resolve) => Object.assign(release, { all: resolve })) });
  const others = await store.db.tx(async (tx) => {
    const ids: string[] = [];
    for (let at = 0; at < ON_ONE_HOST; at++) {
      const { id: accountId, ownerId } = await createAccount(tx, { email: `${at}@example.com`, now: now() });
      const fields = { url: `${busy.url}/${accountId}`, types: null, description: "", status: "active" } as const;
      await createWebhook(tx, box, { accountId, maker: ownerId, ...fields, now: now() });
      ids.push(accountId);
    }
    return ids;
  });
  await make();
  // Theirs are all due before ours.
  await store.db.tx(async (tx) => {
    for (const accountId of others) await recordEvents(tx, accountId, [low(1)], now());
  });
  store.clock.pass(1);
  await record(low(99));
  await relay();
  const drained = senderOf().drain();
  await eventually(() => expect(sending.receiver.received).toHaveLength(1));
  expect(busy.received.length).toBeLessThanOrEqual(2);
  release.all();
  await drained;
  expect(new Set(busy.received.map(({ path }) => path)).size).toBe(ON_ONE_HOST);
  expect(busy.mostWaiting()).toBeLessThanOrEqual(8);
}, 120_000);

test("hundreds of hosts that hang: whoever has proved to answer gets its messages at once, however many wait before them", async () => {
  const accounts: string[] = [];
  while (accounts.length < 30) accounts.push(await store.account(0));
  for (const [at, accountId] of accounts.entries())
    for (let n = 0; n < 10; n++) await make({ accountId, url: `https://h${at * 10 + n}.example.com/` });
  await make();
  const sender = senderOf(hangingAt("https:"));
  // It has answered before.
  await record(low(99));
  await relay();
  await sender.drain();
  for (const accountId of accounts) await recordOf(accountId, low(1));
  await relay();
  store.clock.pass(1);
  await record(...Array.from({ length: 20 }, (_, n) => low(n)));
  await relay();
  const drained = sender.drain();
  await eventually(() => expect(sending.receiver.received).toHaveLength(21));
  await sender.stop();
  await drained;
});

test("one receiver hangs, and there is nothing else to do: what happens meanwhile is sent to the others at once", async () => {
  await make({ url: "https://hanging.example.com/" });
  const sender = senderOf(hangingAt("https:"));
  await record(low(99));
  await relay();
  const drained = sender.drain();
  await eventually(async () => {
    const rows = await store.db.q.select().from(store.db.t.webhookDeliveries);
    expect(rows[0]!.lease).not.toBeNull();
  });
  await make();
  await record(low(98));
  await relay();
  // As every second.
  void sender.drain();
  await eventually(() => expect(sending.receiver.received).toHaveLength(1));
  await sender.stop();
  await drained;
});

/** A client for which nobody answers at URLs that begin so, until the attempt is cut off. */
function hangingAt(prefix: string): Pick<HttpClient, "postPublic"> {
  return {
    postPublic: (url, options) => {
      if (!url.startsWith(prefix)) return sending.http.postPublic(url, options);
      return new Promise((_, reject) => {
        const cutOff = () => reject(new FetchFailure("timeout"));
        if (options.signal!.aborted) cutOff();
        else options.signal!.addEventListener("abort", cutOff);
      });
    },
  };
}
