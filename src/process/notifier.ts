import type { Services } from "../contract/call.ts";
import { type EventConsumer, relayEvents } from "../domain/events/relay.ts";
import type { Mailer } from "../domain/mail/mailer.ts";
import { noticeConsumer } from "../domain/notices/queue-notices.ts";
import { queueForSubscriptions } from "../domain/subscriptions/queue.ts";
import { queuePushes } from "../domain/tasks/queue-pushes.ts";
import { queueDeliveries, TASK_STATE } from "../domain/webhooks/queue.ts";
import { WebhookSender } from "../domain/webhooks/sender.ts";
import type { FindTargets } from "../domain/webhooks/target.ts";
import { webhookTargets } from "../domain/webhooks/webhook-targets.ts";
import { SECOND } from "../platform/clock.ts";
import { secretBoxOf } from "../platform/config/secrets-key.ts";
import { isUnavailable } from "../platform/errors/database-unavailable.ts";
import { subscriptionTargets } from "../surfaces/mcp/events/targets.ts";
import type { Log } from "./log.ts";

/** The push configurations of A2A tasks. The agent is loaded only when one of them has something to receive. */
function pushTargetsOf(services: Pick<Services, "clock" | "config">): FindTargets {
  return async (db, deliveries) => {
    if (deliveries.every(({ eventNo }) => eventNo !== TASK_STATE)) return new Map();
    const { pushTargets } = await import("../../a2a/agent/push-targets.ts");
    return pushTargets(services)(db, deliveries);
  };
}

/** How often a process looks for new events, and for messages that are due. */
const POLL_MS = SECOND;

type NotifierServices = Pick<Services, "db" | "clock" | "http" | "config"> & { readonly mailer: Mailer };

/**
 * Hands events on to webhooks, subscriptions, push configurations and mail, and sends the messages of the first three.
 * @returns stop, which cuts off the messages under way; another process sends them
 */
export function startNotifier({ db, clock, http, config, mailer }: NotifierServices, log: Log): () => Promise<void> {
  const secretBox = secretBoxOf(config);
  const targets = [webhookTargets(secretBox), subscriptionTargets(secretBox), pushTargetsOf({ clock, config })];
  const sender = new WebhookSender({ db, clock, http, targets, log });
  // Each is called in the transaction that takes the events out of their queue.
  const consumers: readonly EventConsumer[] = [
    queueDeliveries,
    queueForSubscriptions,
    queuePushes,
    noticeConsumer({ mailer, siteUrl: config.siteUrl, seller: config.seller, secretBox }),
  ];
  const now = () => clock.now();
  const failed = (err: unknown) => {
    // Other jobs log a database that does not answer.
    if (!isUnavailable(err)) log.error({ err }, "events could not be told; retrying in a second");
  };
  let relaying: Promise<unknown> | null = null;
  const poll = () => {
    relaying ??= relayEvents(db, consumers, now)
      .catch(failed)
      .finally(() => {
        relaying = null;
        // Not awaited, so that slow receivers do not hold up new events.
        sender.drain().catch(failed);
      });
  };
  const timer = setInterval(poll, POLL_MS).unref();
  return async () => {
    clearInterval(timer);
    await relaying;
    await sender.stop();
  };
}
