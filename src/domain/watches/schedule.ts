import { createHash } from "node:crypto";
import { DAY, HOUR } from "../../platform/clock.ts";
import type { Interval } from "./settings.ts";

const LENGTHS: Readonly<Record<Interval, number>> = { hour: HOUR, day: DAY, week: 7 * DAY };

/**
 * When a watch runs next, in service time: once in each interval, at a time of its own, so that the runs of all watches are spread
 * over the hour, the day or the week. Runs that were missed are not made up for.
 */
export function nextRunAt(watchId: string, every: Interval, service: number): number {
  const length = LENGTHS[every];
  const offset = Math.floor(fractionOf(watchId) * length);
  return (Math.floor((service - offset) / length) + 1) * length + offset;
}

/** The shortest time between readings that nobody has asked for, in ms. */
const LEAST = HOUR;

/** When a watch that was made, changed or resumed is read: at once, but never sooner than an hour after its last reading. */
export function soonestRunAt(readAt: number | null, service: number): number {
  // A reading of the future was noted by a clock that was wrong.
  return readAt === null ? service : Math.max(service, Math.min(readAt, service) + LEAST);
}

/** A number from 0 to 1 that is always the same for a watch. */
function fractionOf(watchId: string): number {
  return createHash("sha256").update(watchId).digest().readUInt32LE() / 2 ** 32;
}

/** When indexed pages are looked up again; null: never. */
export function nextRecheckAt(recheck: "off" | "week" | "month", service: number): number | null {
  if (recheck === "off") return null;
  return service + (recheck === "week" ? 7 : 30) * DAY;
}
