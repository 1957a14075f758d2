import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HTTP_LIMITS } from "../../../../src/platform/http-client/limits.ts";
import { MinSpeed } from "../../../../src/platform/http-client/min-speed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { windowMs, windowBytes } = HTTP_LIMITS;

/** A watch, and the seconds after which it found the body too slow. */
function watch() {
  const ended: number[] = [];
  const from = performance.now();
  return { speed: new MinSpeed(HTTP_LIMITS, () => ended.push((performance.now() - from) / 1_000)), ended };
}

test("without a byte the body is too slow at the end of the second window; the first one is free", () => {
  const { speed, ended } = watch();
  speed.wait();
  vi.advanceTimersByTime(3 * windowMs);
  expect(ended).toEqual([20]);
});

test("chunks of 1 KB a second are fast enough, a little less is not", () => {
  for (const [bytes, isTooSlow] of [
    [windowBytes / 10, false],
    [windowBytes / 10 - 1, true],
  ] as const) {
    const { speed, ended } = watch();
    for (let second = 0; second < 35; second++) {
      speed.wait();
      vi.advanceTimersByTime(999);
      speed.received(bytes);
      vi.advanceTimersByTime(0);
    }
    speed.wait();
    speed.received(0);
    expect(ended.length > 0).toBe(isTooSlow);
  }
});

test("time that the reader takes between chunks does not count", () => {
  const { speed, ended } = watch();
  for (let i = 0; i < 10; i++) {
    speed.wait();
    vi.advanceTimersByTime(1_000);
    speed.received(1);
    vi.advanceTimersByTime(60_000);
  }
  expect(ended).toEqual([]);
  speed.wait();
  vi.advanceTimersByTime(windowMs);
  expect(ended).toHaveLength(1);
});

test("no timer is left at the end", () => {
  const { speed } = watch();
  speed.wait();
  speed.received(0);
  expect(vi.getTimerCount()).toBe(0);
});
