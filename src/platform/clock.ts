/**
 * The two times (docs/rules.md rule 12). Real time is for money, limits, leases and tokens. Service time is for
 * projects and links, and can run faster than real time in a sandbox. Both are in ms since 1970.
 */
export interface Clock {
  now(): number;
  service(): number;
}

/** The same moment in both times. */
export interface Times {
  readonly service: number;
  readonly now: number;
}

export function timesOf(clock: Clock): Times {
  return { now: clock.now(), service: clock.service() };
}

/** A moment in both times, and how many service ms pass in a real ms from then on. */
export interface ClockAnchor {
  readonly realAt: number;
  readonly serviceAt: number;
  readonly scale: number;
}

export function serviceTime(anchor: ClockAnchor, now: number): number {
  return Math.floor(anchor.serviceAt + Math.max(0, now - anchor.realAt) * anchor.scale);
}

/** The clock of a running process. `anchor` may be replaced while it runs; service time never goes back. */
export class AnchoredClock implements Clock {
  #latest = 0;
  anchor: ClockAnchor;
  /** How far the database's clock, which all nodes use, is ahead of this machine's, in ms. */
  skew = 0;

  constructor(anchor: ClockAnchor) {
    this.anchor = anchor;
  }

  now(): number {
    return Date.now() + this.skew;
  }

  service(): number {
    this.#latest = Math.max(this.#latest, serviceTime(this.anchor, this.now()));
    return this.#latest;
  }
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** ISO 8601, UTC, as the wire shows every time. */
export function iso(at: number): string;
export function iso(at: number | null): string | null;
export function iso(at: number | null): string | null {
  if (at === null) return null;
  const known = texts.get(at);
  if (known !== undefined) return known;
  if (texts.size === MAX_TEXTS) texts.clear();
  const text = new Date(at).toISOString();
  texts.set(at, text);
  return text;
}

/** The latest texts. The links of a project share most of their times, and formatting is slow. */
const texts = new Map<number, string>();
const MAX_TEXTS = 1_000;
