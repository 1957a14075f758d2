import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostThrottle } from "../../../../src/indexing/preflight/host-throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Begun {
  readonly host: string;
  readonly at: number;
}

/** Asks for `count` turns at a host, each of which lasts for `ms`, and writes down when they begin. */
function ask(politeness: HostThrottle, begun: Begun[], host: string, count: number, ms: number): void {
  for (let i = 0; i < count; i++) {
    void politeness.run(host, async () => {
      begun.push({ host, at: Date.now() });
      await new Promise((resolve) => setTimeout(resolve, ms));
    });
  }
}

const times = (begun: readonly Begun[], host: string) => begun.filter((one) => one.host === host).map(({ at }) => at);

test("requests to one host begin a gap apart", async () => {
  const politeness = new HostThrottle({ concurrency: 32, perHost: 2, gapMs: 200 });
  const begun: Begun[] = [];
  const from = Date.now();
  ask(politeness, begun, "a", 5, 10);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(times(begun, "a").map((at) => at - from)).toEqual([0, 200, 400, 600, 800]);
});

test("a host has at most two requests at once, however long they take", async () => {
  const politeness = new HostThrottle({ concurrency: 32, perHost: 2, gapMs: 200 });
  const begun: Begun[] = [];
  const from = Date.now();
  ask(politeness, begun, "a", 5, 1_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(times(begun, "a").map((at) => at - from)).toEqual([0, 200, 1_000, 1_200, 2_000]);
});

test("all hosts together have at most `concurrency` requests at once", async () => {
  const politeness = new HostThrottle({ concurrency: 3, perHost: 2, gapMs: 10 });
  const begun: Begun[] = [];
  for (let host = 0; host < 10; host++) ask(politeness, begun, `host ${host}`, 2, 1_000);
  await vi.advanceTimersByTimeAsync(500);
  expect(begun).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).toHaveLength(20);
});

test("hosts are served in a ring: one that is slow, or has many pages, does not delay the others", async () => {
  const politeness = new HostThrottle({ concurrency: 4, perHost: 2, gapMs: 50 });
  const begun: Begun[] = [];
  const from = Date.now();
  ask(politeness, begun, "slow", 100, 10_000);
  ask(politeness, begun, "large", 100, 10);
  ask(politeness, begun, "small", 2, 10);
  await vi.advanceTimersByTimeAsync(990);
  expect(times(begun, "small").map((at) => at - from)).toEqual([0, 50]);
  expect(times(begun, "large")).toHaveLength(20);
  expect(times(begun, "slow")).toHaveLength(2);
});

test("with one request at a time two waiting hosts alternate", async () => {
  const politeness = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 0 });
  const begun: Begun[] = [];
  ask(politeness, begun, "first", 1, 10);
  ask(politeness, begun, "a", 3, 10);
  ask(politeness, begun, "b", 3, 10);
  await vi.advanceTimersByTimeAsync(100);
  expect(begun.map(({ host }) => host)).toEqual(["first", "a", "b", "a", "b", "a", "b"]);
});

test("an urgent request goes before those that wait for the same host", async () => {
  const politeness = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 1 });
  const order: string[] = [];
  const turn = (name: string, isUrgent = false) => politeness.run("a", async () => void order.push(name), { isUrgent });
  const turns = [turn("first"), turn("second"), turn("urgent", true)];
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(turns);
  expect(order).toEqual(["first", "urgent", "second"]);
});

test("an aborted request leaves the queue, and never begins", async () => {
  const politeness = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 100 });
  const begun: Begun[] = [];
  ask(politeness, begun, "a", 1, 50);
  const calledOff = new AbortController();
  const work = vi.fn(async () => undefined);
  const turn = politeness.run("a", work, { signal: calledOff.signal });
  ask(politeness, begun, "a", 1, 50);
  calledOff.abort(new Error("called off"));
  await expect(turn).rejects.toThrow("called off");
  await expect(politeness.run("a", work, { signal: calledOff.signal })).rejects.toThrow("called off");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(2);
  expect(work).not.toHaveBeenCalled();
});

test("a request aborted at the moment of its permit does not begin, and returns the permit", async () => {
  const politeness = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 0 });
  const calledOff = new AbortController();
  const work = vi.fn(async () => undefined);
  const turn = politeness.run("a", work, { signal: calledOff.signal });
  calledOff.abort(new Error("called off"));
  await expect(turn).rejects.toThrow("called off");
  expect(work).not.toHaveBeenCalled();
  expect(await politeness.run("a", async () => "done")).toBe("done");
});

test("a request that fails returns its permit", async () => {
  const politeness = new HostThrottle({ concurrency: 1, perHost: 1, gapMs: 0 });
  for (let i = 0; i < 3; i++)
    await expect(politeness.run("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await politeness.run("b", async () => "done")).toBe("done");
});

test("no timer is left when all requests are done", async () => {
  const politeness = new HostThrottle({ concurrency: 8, perHost: 2, gapMs: 20 });
  const begun: Begun[] = [];
  for (let host = 0; host < 30; host++) ask(politeness, begun, `host ${host}`, 3, 5);
  await vi.runAllTimersAsync();
  expect(begun).toHaveLength(90);
  expect(vi.getTimerCount()).toBe(0);
});
