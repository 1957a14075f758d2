import { createHash } from "node:crypto";
import { narrowingText } from "../../../domain/subscriptions/narrowing.ts";
import type { Wanted } from "../../../domain/subscriptions/positions.ts";
import { eventsError } from "./wire.ts";

/** A position as clients keep it. It is of use for the same events of the same account alone, in each mode of delivery. */
export function cursorOf(wanted: Wanted, position: number): string {
  return `cur_${position}_${digestOf(wanted)}`;
}

/** @returns null: from now on @throws ProtocolError InvalidParams for a cursor that is not of these events */
export function positionOf(wanted: Wanted, cursor: string | null | undefined): number | null {
  if (cursor === null || cursor === undefined) return null;
  const [, digits = "", digest] = /^cur_(\d{1,15})_([0-9a-f]{16})$/.exec(cursor) ?? [];
  if (digest === digestOf(wanted)) return Number(digits);
  const message =
    "`cursor` is none of this subscription. Send the last one that came for the same `name` and `arguments`, or null to begin now.";
  throw eventsError("InvalidParams", message);
}

function digestOf({ accountId, type, narrowing }: Wanted): string {
  const key = JSON.stringify([accountId, type, narrowingText(narrowing)]);
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}
