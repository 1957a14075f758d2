import { and, desc, eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { WEBHOOK_DELIVERY_STATUSES, type WebhookDeliveryStatus } from "../../../db/words.ts";
import type { EventRow } from "../events/events.ts";
import type { DeliveryRow } from "./queue.ts";

export { WEBHOOK_DELIVERY_STATUSES };

interface DeliveryPage {
  readonly status: WebhookDeliveryStatus | null;
  readonly limit: number;
  readonly offset: number;
}

/** A page of a webhook's deliveries with the types of their events, newest event first, and whether there are more. */
export async function deliveriesOf(
  { q, t: { events, webhookDeliveries: deliveries } }: Pick<Reader, "q" | "t">,
  webhookId: string,
  { status, limit, offset }: DeliveryPage,
): Promise<{ rows: (DeliveryRow & Pick<EventRow, "type">)[]; hasMore: boolean }> {
  const isIts = and(eq(events.accountId, deliveries.accountId), eq(events.no, deliveries.eventNo));
  const isWanted = and(eq(deliveries.targetId, webhookId), status === null ? undefined : eq(deliveries.status, status));
  const found = await q
    .select({ delivery: deliveries, type: events.type })
    .from(deliveries)
    .innerJoin(events, isIts)
    .where(isWanted)
    .orderBy(desc(deliveries.eventNo))
    .limit(limit + 1)
    .offset(offset);
  const rows = found.slice(0, limit).map(({ delivery, type }) => ({ ...delivery, type }));
  return { rows, hasMore: found.length > limit };
}
