const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `10/Oct/2026:13:55:36 -0700`, as web servers write it. */
const COMMON = /^(\d{1,2})\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})? ([+-]\d\d):?(\d\d)$/;
/** RFC 3339; without a zone it is UTC. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|\s?([+-]\d\d):?(\d\d)|)$/;
const NUMBER = /^\d{9,19}(?:\.\d{1,9})?$/;

/** The time that a log says, in ms since 1970; null where it says none. */
export function timeIn(value: unknown): number | null {
  if (typeof value === "number") return ofNumber(value);
  if (typeof value !== "string" || value.length > 64) return null;
  const common = COMMON.exec(value);
  if (common) {
    const [, day, month, year, hour, minute, second, zone, zoneMinute] = common;
    return timeOf(
      [Number(year), MONTHS.indexOf(month!), Number(day), Number(hour), Number(minute), Number(second)],
      [zone, zoneMinute],
    );
  }
  const iso = ISO.exec(value);
  if (iso) {
    const [, year, month, day, hour, minute, second, zone, zoneMinute] = iso;
    return timeOf(
      [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)],
      [zone, zoneMinute],
    );
  }
  return NUMBER.test(value) ? ofNumber(Number(value)) : null;
}

type Fields = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** @param zone hours with their sign, and minutes; UTC where they are missing */
function timeOf(fields: Fields, [hours = "+00", minutes = "00"]: (string | undefined)[]): number | null {
  const [, month, day, hour, minute, second] = fields;
  const offset = Math.abs(Number(hours)) * 60 + Number(minutes);
  if (hour > 23 || minute > 59 || second > 60 || offset > 14 * 60 || Number(minutes) > 59) return null;
  const local = new Date(Date.UTC(...fields));
  // The 30th of February would be a day of March. A leap second is the first second of the next minute.
  const isOfCalendar =
    month >= 0 && month <= 11 && (second === 60 || (local.getUTCMonth() === month && local.getUTCDate() === day));
  return isOfCalendar ? local.getTime() - (hours.startsWith("-") ? -offset : offset) * 60_000 : null;
}

/** Seconds, ms, µs or ns since 1970, by their size. */
function ofNumber(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  const unit = [1e11, 1e14, 1e17, Number.POSITIVE_INFINITY].findIndex((limit) => value < limit);
  return Math.floor((value * 1_000) / 1_000 ** unit);
}
