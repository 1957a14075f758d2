import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostThrottle } from "../../../../src/indexing/preflight/host-throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Start {
  readonly host: string;
  readonly at: number;
}

/** Makes `count` requests to a host, each of which takes `ms`, and records when they begin. */
function makeRequests(throttle: HostThrottle, starts: Start[], host: string, count: number, ms: number): void {
  for (let i = 0; i < count; i++) {
    void throttle.run(host, async () => {
      starts.push({ host, at: Date.now() });
      await new Promise((resolve) => setTimeout(resolve, ms));
    });
  }
}

const times = (starts: readonly Start[], host: string) => starts.filter((one) => one.host === host).map(({ at }) => at);

test("requests to one host begin a gap apart", async () => {
  const throttle = new HostThrottle({ concurrency: 32, perHost: 2, gapMs: 200 });
  const starts: Start[] = [];
  const from = Date.now();
  makeRequests(throttle, starts, "a", 5, 10);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(times(starts, "a").map((at) => at - from)).toEqual([0, 200, 400, 600, 800]);
});

test("a host has at most two requests at once, however long they take", async () => {
  const throttle = new HostThrottle({ concurrency: 32, perHost: 2, gapMs: 200 });
  const starts: Start[] = [];
  const from = Date.now();
  makeRequests(throttle, starts, "a", 5, 1_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(times(starts, "a").map((at) => at - from)).toEqual([0, 200, 1_000, 1_200, 2_000]);
});

test("all hosts together have at most `concurrency` requests at once", async () => {
  const throttle = new HostThrottle({ concurrency: 3, perHost: 2, gapMs: 10 });
  const starts: Start[] = [];
  for (let host = 0; host < 10; host++) makeRequests(throttle, starts, `host ${host}`, 2, 1_000);
  await vi.advanceTimersByTimeAsync(500);
  expect(starts).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(starts).toHaveLength(20);
});

test("hosts are served in a ring: one that is slow, or has many pages, does not delay the others", async () => {
  const throttle = new HostThrottle({ concurrency: 4, perHost: 2, gapMs: 50 });
  const starts: Start[] = [];
  const from = Date.now();
  makeRequests(throttle, starts, "slow", 100, 10_000);
  makeRequests(throttle, starts, "large", 100, 10);
  makeRequests(throttle, starts, "small", 2, 10);
  await vi.advanceTimersByTimeAsync(990);
  expect(times(starts, "small").map((at) => at - from)).toEqual([0, 50]);
  expect(times(starts, "large")).toHaveLength(20);
  expect(times(starts, "slow")).toHaveLength(2);
});

test("with one request at a time two waiting hosts alternate", async () => {
  const throttle = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 0 });
  const starts: Start[] = [];
  makeRequests(throttle, starts, "first", 1, 10);
  makeRequests(throttle, starts, "a", 3, 10);
  makeRequests(throttle, starts, "b", 3, 10);
  await vi.advanceTimersByTimeAsync(100);
  expect(starts.map(({ host }) => host)).toEqual(["first", "a", "b", "a", "b", "a", "b"]);
});

test("an urgent request goes before the others for the same host", async () => {
  const throttle = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 1 });
  const order: string[] = [];
  const run = (name: string, isUrgent = false) => throttle.run("a", async () => void order.push(name), { isUrgent });
  const runs = [run("first"), run("second"), run("urgent", true)];
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(runs);
  expect(order).toEqual(["first", "urgent", "second"]);
});

test("an aborted request leaves the queue, and never begins", async () => {
  const throttle = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 100 });
  const starts: Start[] = [];
  makeRequests(throttle, starts, "a", 1, 50);
  const aborter = new AbortController();
  const work = vi.fn(async () => undefined);
  const request = throttle.run("a", work, { signal: aborter.signal });
  makeRequests(throttle, starts, "a", 1, 50);
  aborter.abort(new Error("aborted"));
  await expect(request).rejects.toThrow("aborted");
  await expect(throttle.run("a", work, { signal: aborter.signal })).rejects.toThrow("aborted");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(starts).toHaveLength(2);
  expect(work).not.toHaveBeenCalled();
});

test("a request aborted at the moment of its permit does not begin, and returns the permit", async () => {
  const throttle = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 0 });
  const aborter = new AbortController();
  const work = vi.fn(async () => undefined);
  const request = throttle.run("a", work, { signal: aborter.signal });
  aborter.abort(new Error("aborted"));
  await expect(request).rejects.toThrow("aborted");
  expect(work).not.toHaveBeenCalled();
  expect(await throttle.run("a", async () => "done")).toBe("done");
});

test("a request that fails returns its permit", async () => {
  const throttle = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 0 });
  for (let i = 0; i < 3; i++)
    await expect(throttle.run("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await throttle.run("b", async () => "done")).toBe("done");
});

test("no timer is left when all requests are done", async () => {
  const throttle = new HostThrottle({ concurrency: 8, perHost: 2, gapMs: 20 });
  const starts: Start[] = [];
  for (let host = 0; host < 30; host++) makeRequests(throttle, starts, `host ${host}`, 3, 5);
  await vi.runAllTimersAsync();
  expect(starts).toHaveLength(90);
  expect(vi.getTimerCount()).toBe(0);
});
