import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Engine } from "../db/engine.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { recordEvents } from "../src/domain/events/record.ts";
import { relayEvents } from "../src/domain/events/relay.ts";
import { queueDeliveries } from "../src/domain/webhooks/queue.ts";
import { WebhookSender } from "../src/domain/webhooks/sender.ts";
import { webhookTargets } from "../src/domain/webhooks/webhook-targets.ts";
import { createWebhook } from "../src/domain/webhooks/webhooks.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { SecretBox } from "../src/platform/secret-box.ts";
import { type Cost, costOf } from "./support.ts";

const ACCOUNTS = 10;
const WEBHOOKS = 10;
/** Events of an account, each of which goes to all of its webhooks. */
export const EVENTS = 100;
export const RECEIVERS = ACCOUNTS * WEBHOOKS;
/** The first webhook of each account never answers. */
export const HANGING = ACCOUNTS;
export const DELIVERIES = RECEIVERS * EVENTS;

export interface Receivers {
  /** Those that hang come first. */
  readonly ports: readonly number[];
  /** How many messages each has received so far. */
  counts(): Promise<readonly number[]>;
  close(): void;
}

/** Starts the receivers in a process of their own. */
export async function startReceivers(): Promise<Receivers> {
  const args = [String(RECEIVERS), String(HANGING)];
  const child: ChildProcess = fork(join(import.meta.dirname, "webhook-receivers.mjs"), args);
  const [{ ports }] = (await once(child, "message")) as [{ ports: number[] }];
  return {
    ports,
    async counts() {
      child.send("count");
      const [{ received }] = (await once(child, "message")) as [{ received: number[] }];
      return received;
    },
    close: () => void child.kill(),
  };
}

export interface Sending {
  readonly sender: WebhookSender;
  /** What it cost to queue the deliveries. */
  readonly relay: Cost;
  close(): Promise<void>;
}

/** Queues the deliveries of new accounts. @param name of no other accounts in this database */
export async function openSending(db: Engine, ports: readonly number[], name: string): Promise<Sending> {
  const settings = { siteUrl: "http://beckon.test", contact: undefined, fetchAllowCidrs: [], fetchAllowPorts: [] };
  const http = createHttpClient({ ...settings, mode: "sandbox", host: "127.0.0.1" });
  const box = new SecretBox(() => [Buffer.alloc(32, 1)]);
  const clock = { now: () => Date.now(), service: () => Date.now() };
  for (let at = 0; at < ACCOUNTS; at++) {
    const others = ports.slice(HANGING).slice(at * (WEBHOOKS - 1), (at + 1) * (WEBHOOKS - 1));
    await fill(db, box, { email: `${name}.${at}@example.com`, ports: [ports[at]!, ...others] });
  }
  const relay = await costOf(() => relayEvents(db, [queueDeliveries], clock.now));
  const sender = new WebhookSender({ db, clock, http, targets: [webhookTargets(box)], log: console });
  return {
    sender,
    relay,
    async close() {
      await sender.stop();
      await http.close();
    },
  };
}

/** An account with a webhook for each port, and with events. */
async function fill(db: Engine, box: SecretBox, { email, ports }: { email: string; ports: readonly number[] }) {
  const now = Date.now();
  await db.tx(async (tx) => {
    const { id, ownerId } = await createAccount(tx, { email, now });
    for (const port of ports) {
      const fields = { url: `http://127.0.0.1:${port}/`, types: null, description: "", status: "active" } as const;
      await createWebhook(tx, box, { accountId: id, maker: ownerId, ...fields, now });
    }
    const host = { site_id: "site_0123456789abcdefghjk", host: "www.example.com" };
    const events = Array.from({ length: EVENTS }, () => ({ type: "site.verified", data: host }) as const);
    await recordEvents(tx, id, events, now);
  });
}
