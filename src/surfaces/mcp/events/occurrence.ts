import { type EventRow, eventId } from "../../../domain/events/events.ts";
import { iso } from "../../../platform/clock.ts";

/** An event as MCP Events has it. Its id is the same in each mode of delivery, and in list_events. */
export interface Occurrence {
  readonly eventId: string;
  readonly name: string;
  readonly timestamp: string;
  readonly data: unknown;
}

export function occurrenceOf({ accountId, no, type, at, data }: EventRow): Occurrence {
  return { eventId: eventId(accountId, no), name: type, timestamp: iso(at), data: JSON.parse(data) };
}
