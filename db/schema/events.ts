import { isNotNull } from "drizzle-orm";
import type { Kit } from "../dialect.ts";
import { WEBHOOK_DELIVERY_STATUSES } from "../words.ts";

/** What has happened to accounts, and the webhooks that tell their receivers. */
export function eventTables(k: Kit) {
  /** Written by the transaction in which the thing happened; kept 30 days. */
  const events = k.table(
    "events",
    {
      accountId: k.text("account_id").notNull(),
      /** 1, 2, 3… within the account. */
      no: k.big("no").notNull(),
      /** Real time. */
      at: k.big("at").notNull(),
      type: k.text("type").notNull(),
      projectId: k.text("project_id"),
      /** JSON, as callers and receivers see it. */
      data: k.text("data").notNull(),
      /**
       * Real time since which it waits to be handed to webhooks, mail and agents; null once it was handed over, or if nobody is
       * told.
       */
      queuedAt: k.big("queued_at"),
    },
    (t) => [
      k.primaryKey({ columns: [t.accountId, t.no] }),
      k.index("events_age").on(t.at),
      k.index("events_queued").on(t.queuedAt).where(isNotNull(t.queuedAt)),
    ],
  );

  const webhooks = k.table(
    "webhooks",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** Id of the API key or grant that made it; `person` for what a signed-in person made. */
      maker: k.text("maker").notNull(),
      url: k.text("url").notNull(),
      /** Types of events, space-separated; null for all. */
      types: k.text("types"),
      description: k.text("description").notNull(),
      status: k.text("status").notNull(),
      sealedSecret: k.text("sealed_secret").notNull(),
      /** The secret before the last rotation. Messages are signed with it too until `previousUntil`. */
      sealedPreviousSecret: k.text("sealed_previous_secret"),
      previousUntil: k.big("previous_until"),
      createdAt: k.big("created_at").notNull(),
      /** When a caller or the person last made or changed it. */
      changedAt: k.big("changed_at").notNull().default(0),
      /** Number of the account's newest event when the webhook was made. The webhook is told of later events. */
      eventsBefore: k.big("events_before").notNull().default(0),
      lastSuccessAt: k.big("last_success_at"),
      /** Since when every attempt has failed; null after a success. */
      failingSince: k.big("failing_since"),
      /** The last failure: its time, the status of the answer if there was one, and our word for the reason. */
      lastFailureAt: k.big("last_failure_at"),
      lastFailureStatus: k.small("last_failure_status"),
      lastFailureReason: k.text("last_failure_reason"),
    },
    (t) => [k.unique("webhooks_maker_url").on(t.accountId, t.maker, t.url)],
  );

  /** What a client of MCP has asked to be told of at an address (MCP Events). It ends unless the client asks again. */
  const eventSubscriptions = k.table(
    "event_subscriptions",
    {
      /** `sub_` and a digest of maker, URL, type and arguments. */
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** Id of the API key or grant that made it. */
      maker: k.text("maker").notNull(),
      url: k.text("url").notNull(),
      /** The type of events. */
      type: k.text("type").notNull(),
      /** What narrows them, as JSON with sorted names. */
      arguments: k.text("arguments").notNull(),
      sealedSecret: k.text("sealed_secret").notNull(),
      /** The secret before the last rotation. Messages are signed with it too until `previousUntil`. */
      sealedPreviousSecret: k.text("sealed_previous_secret"),
      previousUntil: k.big("previous_until"),
      createdAt: k.big("created_at").notNull(),
      /** Real time. */
      expiresAt: k.big("expires_at").notNull(),
      /** Number of the account's newest event when it was made. It is told of later events. */
      eventsBefore: k.big("events_before").notNull(),
      /** Since when nothing is sent, because the receiver has answered that it is gone; null while it is told. */
      suspendedAt: k.big("suspended_at"),
      lastSuccessAt: k.big("last_success_at"),
      /** Since when every attempt has failed; null after a success. */
      failingSince: k.big("failing_since"),
      /** Our word for the reason of the last failure. */
      lastFailureReason: k.text("last_failure_reason"),
    },
    (t) => [k.index("event_subscriptions_account").on(t.accountId), k.index("event_subscriptions_end").on(t.expiresAt)],
  );

  /** An event to deliver to a webhook or by a subscription, or the state of a task to deliver by a push configuration. */
  const webhookDeliveries = k.table(
    "webhook_deliveries",
    {
      id: k.serial("id"),
      /** The webhook, the subscription, or the push configuration. */
      targetId: k.text("webhook_id").notNull(),
      accountId: k.text("account_id").notNull(),
      /** Host and port of the target's URL. The number of requests at a time is limited for each host. */
      host: k.text("host").notNull().default(""),
      /** 0 for a push configuration, which has one delivery: it says how the task is when it is sent. */
      eventNo: k.big("event_no").notNull(),
      status: k.word("status", WEBHOOK_DELIVERY_STATUSES).notNull(),
      /** JSON of all attempts, oldest first. */
      attempts: k.text("attempts").notNull(),
      /** How many attempts of the present series were made: a repeated delivery begins at 0 again. */
      tries: k.small("tries").notNull(),
      /** Real time of the next attempt; null when none follows. */
      nextAt: k.big("next_at"),
      /** The claim that holds it, until `leaseUntil`. */
      lease: k.text("lease"),
      leaseUntil: k.big("lease_until"),
      createdAt: k.big("created_at").notNull(),
    },
    (t) => [
      k.unique("webhook_deliveries_event").on(t.targetId, t.eventNo),
      k.index("webhook_deliveries_due").on(t.nextAt).where(isNotNull(t.nextAt)),
      k.index("webhook_deliveries_account").on(t.accountId),
      k.index("webhook_deliveries_age").on(t.createdAt),
    ],
  );

  return { events, webhooks, eventSubscriptions, webhookDeliveries };
}
