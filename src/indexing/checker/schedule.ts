import { CHECK_DAYS } from "../../platform/check-days.ts";
import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";
import type { NextStep } from "./partition.ts";

/**
 * The schedule of a link's life (docs/rules.md rule 5, docs/rules.md rule 7), in service ms. Due times are rounded up
 * to a full minute, so that links of one project share a step.
 */
export const FIRST_CHECK = CHECK_DAYS.first * DAY;
export const FINAL_CHECK = CHECK_DAYS.final * DAY;
/** An unknown result of the first check is repeated until then. */
const FIRST_CHECK_ENDS = FINAL_CHECK - DAY;
/** Times of an instant link's early checks, after sending. */
const EARLY_CHECKS = [10 * MINUTE, 25 * MINUTE, 45 * MINUTE];
const EARLY_ENDS = 60 * MINUTE;
const EARLY_REPEAT = 5 * MINUTE;
/** Time between the two clean negatives that together are a verdict. */
const SECOND_CHECK = 30 * MINUTE;
/** How long verifiers must have been available before an unknown result of the final check settles, and the longest wait for it. */
const SETTLE_AVAILABLE = 48 * HOUR;
const SETTLE_LATEST = 7 * DAY;
/** How long links are looked up before they are sent, and in a check project. */
export const CHECK_ENDS = 48 * HOUR;

export function slot(at: number): number {
  return Math.ceil(at / MINUTE) * MINUTE;
}

/** When an instant link has its next early check, or null when the first check is next. */
export function nextEarlyCheck(sentAt: number, now: number, unknown: boolean): number | null {
  const elapsed = now - sentAt;
  const planned = EARLY_CHECKS.find((after) => after > elapsed);
  const repeated = unknown && elapsed + EARLY_REPEAT <= EARLY_ENDS ? elapsed + EARLY_REPEAT : undefined;
  const next = Math.min(planned ?? Number.POSITIVE_INFINITY, repeated ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(next) ? slot(sentAt + next) : null;
}

export function firstCheck(sentAt: number): number {
  return slot(sentAt + FIRST_CHECK);
}

export function finalCheck(sentAt: number): number {
  return slot(sentAt + FINAL_CHECK);
}

export function day4Check(sentAt: number): NextStep {
  return { action: "check", stage: "day_4", dueAt: firstCheck(sentAt) };
}

export function day14Check(sentAt: number): NextStep {
  return { action: "check", stage: "day_14", dueAt: finalCheck(sentAt) };
}

export function secondCheck(now: number): number {
  return slot(now + SECOND_CHECK);
}

/** When an unknown result of the first check is checked again, or null when the final one is next. */
export function repeatDay4(sentAt: number, now: number, tries: number): number | null {
  const due = now + backoff(tries, HOUR, DAY);
  return due < sentAt + FIRST_CHECK_ENDS ? slot(due) : null;
}

/** When an unknown result of the final check is checked again, or null when it settles in the customer's favour. */
export function repeatDay14(sentAt: number, now: number, tries: number, availableMs: number): number | null {
  const latest = sentAt + FINAL_CHECK + SETTLE_LATEST;
  if (availableMs >= SETTLE_AVAILABLE || now >= latest) return null;
  const untilSettled = SETTLE_AVAILABLE - availableMs;
  return slot(Math.min(now + Math.min(backoff(tries, HOUR, 6 * HOUR), untilSettled), latest));
}

/**
 * When to check an unknown result again that decides nothing by itself, or null when its time is up.
 * @param from the time from which its time counts
 */
export function repeatCheck(from: number, now: number, tries: number): number | null {
  const latest = from + CHECK_ENDS;
  return now >= latest ? null : slot(Math.min(now + backoff(tries, 5 * MINUTE, 6 * HOUR), latest));
}

/** When a deferred submission is tried again. @param until the time that the provider named */
export function retrySend(now: number, tries: number, until: number | undefined): number {
  return slot(Math.max(until ?? 0, now + (until === undefined ? backoff(tries, MINUTE, 6 * HOUR) : 0)));
}

/** When a step is tried again because its account has a negative balance. */
export function retryHeld(now: number): number {
  return slot(now + HOUR);
}

/** Doubles from `first` at try 1 up to `cap`. */
function backoff(tries: number, first: number, cap: number): number {
  return Math.min(cap, first * 2 ** Math.max(0, tries - 1));
}
