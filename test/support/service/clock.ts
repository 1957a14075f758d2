import type { Clock } from "../../../src/platform/clock.ts";

/** Both times stand still until they are moved. */
export class TestClock implements Clock {
  #now = Date.parse("2026-01-05T12:00:00.000Z");
  #service = this.#now;

  now(): number {
    return this.#now;
  }

  service(): number {
    return this.#service;
  }

  /** Lets `ms` pass, in service time too unless it is told otherwise. */
  pass(ms: number, serviceMs = ms): void {
    this.#now += ms;
    this.#service += serviceMs;
  }
}
