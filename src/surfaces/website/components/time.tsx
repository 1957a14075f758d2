import type { VNode } from "preact";
import { DAY, HOUR, iso, MINUTE } from "../../../platform/clock.ts";
import { formatCount } from "../../../platform/format.ts";
import { Nothing } from "./nothing.tsx";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * A time in UTC, such as "21 Nov 2026, 09:43 UTC"; a line can only break after the comma. A script shows it in the zone of the
 * reader (browser/local-times.ts), as it does with what else has `data-local`.
 */
export function Time({ at, never }: { at: number | string | null; never?: string }): VNode {
  if (at === null) return never === undefined ? <Nothing /> : <span class="soft">{never}</span>;
  const text = iso(new Date(at).getTime());
  return (
    <time dateTime={text} data-local="time">
      {wholeTime(text)}
    </time>
  );
}

/** The day of a time, such as "21 Nov 2026"; the time itself appears as a tooltip. @param isUtc it is a day of UTC for every reader */
export function Day({ at, isUtc = false }: { at: number | string | null; isUtc?: boolean }): VNode {
  if (at === null) return <Nothing />;
  const text = iso(new Date(at).getTime());
  return (
    <time dateTime={text} title={wholeTime(text)} data-local={isUtc ? undefined : "day"}>
      {dayOf(text)}
    </time>
  );
}

function wholeTime(text: string): string {
  return `${dayOf(text)}, ${text.slice(11, 16)}\u00a0UTC`;
}

function dayOf(text: string): string {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number) as [number, number, number];
  return `${day}\u00a0${MONTHS[month - 1]}\u00a0${year}`;
}

/** How far away a time is; the time itself appears as a tooltip. @param due what to say when it has passed */
export function RelativeTime({ at, now, due }: { at: number; now: number; due: string }): VNode {
  const text = iso(at);
  return (
    <time dateTime={text} title={wholeTime(text)} data-local="title">
      {at <= now ? due : relativeTime(at, now)}
    </time>
  );
}

/** How far away a time is, such as "3 minutes ago" or "in 4 days". */
export function relativeTime(at: number, now: number): string {
  const away = Math.abs(at - now);
  if (away < MINUTE) return "just now";
  const [unit, name] = away < HOUR ? [MINUTE, "minute"] : away < DAY ? [HOUR, "hour"] : [DAY, "day"];
  const words = formatCount(Math.floor(away / (unit as number)), name as string);
  return at < now ? `${words} ago` : `in ${words}`;
}
