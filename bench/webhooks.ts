import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../db/open.ts";
import { costOf, inFolder, median, round } from "./support.ts";
import { DELIVERIES, EVENTS, HANGING, openSending, RECEIVERS, startReceivers } from "./webhook-sending.ts";

const ARRIVING = DELIVERIES - HANGING * EVENTS;

/**
 * 10,000 deliveries to 100 receivers, of which ten hang: how fast the others get theirs, and how even. The receivers are a
 * process of their own; the sender is this one, on SQLite, durable.
 */
export function benchWebhooks() {
  return inFolder(async (folder) => {
    const receivers = await startReceivers();
    const db = await openDatabase(`file:${join(folder, "webhooks.db")}`);
    try {
      const { sender, relay, close } = await openSending(db, receivers.ports, "bench");
      const before = process.memoryUsage().rss;
      /** When each receiver that answers had all of its messages, in s. */
      const seconds = new Map<number, number>();
      const sending = await costOf(async () => {
        const start = performance.now();
        sender.drain().catch(console.error);
        while (seconds.size < RECEIVERS - HANGING) {
          await sleep(20);
          (await receivers.counts()).forEach((count, at) => {
            if (at < HANGING || count < EVENTS || seconds.has(at)) return;
            seconds.set(at, (performance.now() - start) / 1000);
          });
        }
      });
      const megabytes = (process.memoryUsage().rss - before) / 1e6;
      await close();
      const times = [...seconds.values()];
      return {
        perSecond: round(ARRIVING / Math.max(...times), 0),
        first: round(Math.min(...times), 2),
        median: round(median(times), 2),
        last: round(Math.max(...times), 2),
        cpuUs: round((sending.cpu * 1000) / ARRIVING, 0),
        relayUs: round((relay.cpu * 1000) / DELIVERIES, 1),
        megabytes: round(megabytes, 0),
      };
    } finally {
      receivers.close();
      await db.close();
    }
  });
}
