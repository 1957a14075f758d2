import type { SubscriptionRow } from "../../../domain/subscriptions/subscriptions.ts";
import type { FailureReason } from "../../../domain/webhooks/attempt.ts";
import { iso } from "../../../platform/clock.ts";
import { PROBLEM_OF } from "./receiver.ts";

/** How deliveries went until a client asked again; that a subscription was suspended is over with it. */
export function deliveryStatusOf({
  suspendedAt,
  lastSuccessAt,
  failingSince,
  lastFailureReason,
}: SubscriptionRow): object {
  const isFailing = failingSince !== null && lastFailureReason !== null;
  return {
    active: suspendedAt === null,
    lastDeliveryAt: lastSuccessAt === null ? null : iso(lastSuccessAt),
    lastError: isFailing ? PROBLEM_OF[lastFailureReason as FailureReason] : null,
    ...(isFailing ? { failedSince: iso(failingSince) } : {}),
  };
}
