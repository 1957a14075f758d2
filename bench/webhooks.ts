import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { recordEvents } from "../src/domain/events/record.ts";
import { relayEvents } from "../src/domain/events/relay.ts";
import { queueDeliveries } from "../src/domain/webhooks/queue.ts";
import { WebhookSender } from "../src/domain/webhooks/sender.ts";
import { webhookTargets } from "../src/domain/webhooks/webhook-targets.ts";
import { createWebhook } from "../src/domain/webhooks/webhooks.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { SecretBox } from "../src/platform/secret-box.ts";
import { costOf, inFolder, round } from "./support.ts";

const ACCOUNTS = 10;
const WEBHOOKS = 10;
const EVENTS = 100;
/** The first webhook of each account never answers. */
const HANGING = ACCOUNTS;
const DELIVERIES = ACCOUNTS * WEBHOOKS * EVENTS;
const ARRIVING = DELIVERIES - HANGING * EVENTS;

/**
 * 10,000 deliveries to 100 receivers, of which ten hang: how fast the others get theirs, and how even. The receivers are a
 * process of their own; the sender is this one, on SQLite, durable.
 */
export function benchWebhooks() {
  return inFolder(async (folder) => {
    const receivers = fork(join(import.meta.dirname, "webhook-receivers.mjs"), [
      String(ACCOUNTS * WEBHOOKS),
      String(HANGING),
    ]);
    const db = await openDatabase(`file:${join(folder, "webhooks.db")}`);
    const settings = { siteUrl: "http://beckon.test", contact: undefined, fetchAllowCidrs: [], fetchAllowPorts: [] };
    const http = createHttpClient({ ...settings, mode: "sandbox", host: "127.0.0.1" });
    try {
      const [{ ports }] = (await once(receivers, "message")) as [{ ports: number[] }];
      const box = new SecretBox(() => [Buffer.alloc(32, 1)]);
      const clock = { now: () => Date.now(), service: () => Date.now() };
      const accounts: string[] = [];
      for (let at = 0; at < ACCOUNTS; at++) accounts.push(await fill(db, box, ports, at));
      const relay = await costOf(() => relayEvents(db, [queueDeliveries], clock.now));
      const sender = new WebhookSender({ db, clock, http, targets: [webhookTargets(box)], log: console });
      const seconds: { first: number; last: number } = { first: 0, last: 0 };
      const sending = await costOf(async () => {
        const start = performance.now();
        const drained = sender.drain();
        const done = new Set<number>();
        while (done.size < ACCOUNTS * (WEBHOOKS - 1)) {
          await sleep(20);
          receivers.send("count");
          const [{ received }] = (await once(receivers, "message")) as [{ received: number[] }];
          received.forEach((count, at) => {
            if (at < HANGING || count < EVENTS || done.has(at)) return;
            done.add(at);
            seconds.last = (performance.now() - start) / 1000;
            seconds.first ||= seconds.last;
          });
        }
        await sender.stop();
        await drained;
      });
      return {
        perSecond: round(ARRIVING / seconds.last, 0),
        first: round(seconds.first, 2),
        last: round(seconds.last, 2),
        cpuUs: round((sending.cpu * 1000) / ARRIVING, 0),
        relayUs: round((relay.cpu * 1000) / DELIVERIES, 1),
        megabytes: round(process.memoryUsage().rss / 1e6, 0),
      };
    } finally {
      receivers.kill();
      await http.close();
      await db.close();
    }
  });
}

type Database = Awaited<ReturnType<typeof openDatabase>>;

/** An account with its webhooks and events. Receivers that hang come first among the ports. */
async function fill(db: Database, box: SecretBox, ports: readonly number[], at: number): Promise<string> {
  const now = Date.now();
  const others = ports.slice(HANGING).slice(at * (WEBHOOKS - 1), (at + 1) * (WEBHOOKS - 1));
  return db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email: `${at}@example.com`, now });
    for (const port of [ports[at]!, ...others]) {
      const fields = { url: `http://127.0.0.1:${port}/`, types: null, description: "", status: "active" } as const;
      await createWebhook(tx, box, { accountId: id, maker: "person", ...fields, now });
    }
    const host = { site_id: "site_0123456789abcdefghjk", host: "www.example.com" };
    const events = Array.from({ length: EVENTS }, () => ({ type: "site.verified", data: host }) as const);
    await recordEvents(tx, id, events, now);
    return id;
  });
}
