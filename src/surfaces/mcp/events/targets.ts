import {
  endSubscription,
  noteSubscribedAttempt,
  type SubscribedDelivery,
  subscribedDeliveries,
} from "../../../domain/subscriptions/deliveries.ts";
import { narrowingOf } from "../../../domain/subscriptions/narrowing.ts";
import { secretsOf } from "../../../domain/subscriptions/subscriptions.ts";
import { signatureHeaders } from "../../../domain/webhooks/secret.ts";
import type { DeliveryTarget, FindTargets } from "../../../domain/webhooks/target.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import { cursorOf } from "./cursor.ts";
import { occurrenceOf } from "./occurrence.ts";
import { WIRE } from "./wire.ts";

/** Subscriptions as targets of deliveries: an event, and how far the receiver has been told with it. */
export function subscriptionTargets(box: SecretBox): FindTargets {
  return async (db, deliveries) => {
    const found = await subscribedDeliveries(db, deliveries);
    return new Map(found.map((delivery) => [delivery.id, targetOf(delivery, box)]));
  };
}

function targetOf({ subscription, event, position }: SubscribedDelivery, box: SecretBox): DeliveryTarget {
  const { id, maker, url, accountId, type, expiresAt } = subscription;
  return {
    ...{ id, maker, url },
    async messageAt(at) {
      if (expiresAt <= at) return null;
      const cursor = cursorOf({ accountId, type, narrowing: narrowingOf(subscription) }, position);
      const occurrence = occurrenceOf(event);
      const message = { id: occurrence.eventId, at, body: JSON.stringify({ ...occurrence, cursor }) };
      const signature = signatureHeaders(message, secretsOf(box, subscription, at));
      const headers = { "Content-Type": "application/json", [WIRE.subscriptionHeader]: id, ...signature };
      return { headers, body: message.body };
    },
    note: (tx, attempt, now) => noteSubscribedAttempt(tx, subscription, attempt, now),
    end: (tx, now) => endSubscription(tx, subscription, now),
  };
}
