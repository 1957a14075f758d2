import { z } from "zod";
import { type EventRow, eventId } from "../../domain/events/events.ts";
import { attemptsOf } from "../../domain/webhooks/outcome.ts";
import type { DeliveryRow } from "../../domain/webhooks/queue.ts";
import { mayChange, WEBHOOK_STATUSES, type WebhookRow, type WebhookStatus } from "../../domain/webhooks/webhooks.ts";
import { iso } from "../../platform/clock.ts";
import type { Principal } from "../../platform/principal.ts";

/** Where events are sent. Open: fields may be added. */
export const Webhook = z
  .object({
    object: z.literal("webhook"),
    id: z.string(),
    url: z.string().describe("Only its origin, for a webhook of another credential"),
    events: z.array(z.string()).nullable().describe("Types of events; null: all"),
    description: z.string(),
    status: z.enum(WEBHOOK_STATUSES),
    created_at: z.string(),
    last_success_at: z.string().nullable(),
    last_failure: z.object({ at: z.string(), status: z.number().int().nullable(), reason: z.string() }).nullable(),
  })
  .meta({ id: "Webhook" });

/** @param viewer another credential than the maker sees the origin of the URL alone: its path may be a secret */
export function presentWebhook(row: WebhookRow, viewer: Principal): z.output<typeof Webhook> {
  const webhook = presentOwnWebhook(row);
  return mayChange(viewer, row) ? webhook : { ...webhook, url: new URL(row.url).origin };
}

/** As its maker and the person see it. */
export function presentOwnWebhook(row: WebhookRow): z.output<typeof Webhook> {
  const { lastFailureAt, lastFailureStatus, lastFailureReason } = row;
  const failure = { status: lastFailureStatus, reason: lastFailureReason ?? "unreachable" };
  return {
    object: "webhook",
    id: row.id,
    url: row.url,
    events: row.types === null ? null : row.types.split(" "),
    description: row.description,
    status: row.status as WebhookStatus,
    created_at: iso(row.createdAt),
    last_success_at: iso(row.lastSuccessAt),
    last_failure: lastFailureAt === null ? null : { at: iso(lastFailureAt), ...failure },
  };
}

/** An event that is or was delivered to a webhook. Open: fields may be added. */
export const WebhookDelivery = z
  .object({
    id: z.string(),
    event_id: z.string(),
    type: z.string(),
    status: z.enum(["pending", "succeeded", "failed"]),
    attempts: z
      .array(
        z.object({
          at: z.string(),
          status: z.number().int().nullable().describe("HTTP status; null: no answer"),
          ms: z.number().int(),
          reason: z.string().nullable().describe("Why it failed"),
        }),
      )
      .describe("Oldest first"),
    next_attempt_at: z.string().nullable(),
  })
  .meta({ id: "WebhookDelivery" });

export function presentDelivery(row: DeliveryRow & Pick<EventRow, "type">): z.output<typeof WebhookDelivery> {
  return {
    id: `dlv_${row.targetId.slice(3)}_${row.eventNo}`,
    event_id: eventId(row.accountId, row.eventNo),
    type: row.type,
    status: row.status,
    attempts: attemptsOf(row).map(({ at, status, ms, reason }) => ({ at: iso(at), status, ms, reason })),
    next_attempt_at: iso(row.nextAt),
  };
}
