import type { Clock } from "../../../src/platform/clock.ts";

/** A clock whose real time and service time stand still until a test moves them. */
export class TestClock implements Clock {
  #now = Date.parse("2026-01-05T12:00:00.000Z");
  #service = this.#now;

  now(): number {
    return this.#now;
  }

  service(): number {
    return this.#service;
  }

  /** Moves real time by `ms`, and service time by `serviceMs`, default: the same. */
  pass(ms: number, serviceMs = ms): void {
    this.#now += ms;
    this.#service += serviceMs;
  }
}
