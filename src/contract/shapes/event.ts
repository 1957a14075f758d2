import { z } from "zod";
import { type EventRow, eventId } from "../../domain/events/events.ts";
import { iso } from "../../platform/clock.ts";

/** Something that has happened to the account. Open: types and fields may be added. */
export const Event = z
  .object({
    object: z.literal("event"),
    id: z.string(),
    type: z.string(),
    at: z.string(),
    project_id: z.string().nullable(),
    data: z.record(z.string(), z.unknown()).describe("Depends on `type`; the same that webhooks send"),
  })
  .meta({ id: "Event" });

export function presentEvent(row: EventRow): z.output<typeof Event> {
  return {
    object: "event",
    id: eventId(row.accountId, row.no),
    type: row.type,
    at: iso(row.at),
    project_id: row.projectId,
    data: JSON.parse(row.data),
  };
}
