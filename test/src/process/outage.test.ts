import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SECOND } from "../../../src/platform/clock.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";
import { createLog } from "../../../src/process/log.ts";
import { Outage } from "../../../src/process/outage.ts";

let lines: string[];
let isBack: boolean;
let probes: number;
let outage: Outage;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  isBack = false;
  probes = 0;
  const log = createLog({ logLevel: "info" }, (line) => void lines.push(line));
  outage = new Outage(log, async () => {
    probes++;
    if (!isBack) throw away();
  });
});
afterEach(() => {
  outage.stop();
  vi.useRealTimers();
});

const away = () =>
  new DatabaseUnavailable("PostgreSQL does not answer.", new Error("connect ECONNREFUSED postgres://a:secret@db/x"));
const fail = () => outage.log.error({ err: new Error("wrapped", { cause: away() }) }, "a round failed");
const refuse = () => outage.requestLog.error({ err: away() }, "a request failed");
const logged = () => lines.map((line) => JSON.parse(line) as { level: number; msg: string; [more: string]: unknown });

test("law: an outage is logged as one warning with its reason and one line at its end, however many calls were refused", async () => {
  for (let second = 0; second < 60; second++) {
    fail();
    refuse();
    await vi.advanceTimersByTimeAsync(SECOND);
  }
  expect(logged()).toMatchObject([
    { level: 40, reason: expect.stringMatching(/PostgreSQL does not answer.*ECONNREFUSED/) },
  ]);
  isBack = true;
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(logged()).toMatchObject([
    { level: 40, msg: "the database does not answer; calls are refused until it does" },
    { level: 30, msg: "the database answers again", refused: 60, seconds: expect.any(Number) },
  ]);
  expect(logged()[1]!.seconds).toBeGreaterThanOrEqual(60);
  expect(lines.join()).not.toContain("secret");
});

test("the next outage is logged again, with a count of its own", async () => {
  for (let i = 0; i < 2; i++) {
    isBack = false;
    refuse();
    isBack = true;
    await vi.advanceTimersByTimeAsync(10 * SECOND);
  }
  expect(logged().map(({ level, refused }) => [level, refused])).toEqual([
    [40, undefined],
    [30, 1],
    [40, undefined],
    [30, 1],
  ]);
});

test("a read that works again does not end an outage in which writes still fail", async () => {
  isBack = true;
  for (let second = 0; second < 30; second++) {
    refuse();
    await vi.advanceTimersByTimeAsync(SECOND);
  }
  expect(logged()).toHaveLength(1);
});

test("other errors are logged unchanged, also during an outage, and none starts one", async () => {
  outage.log.error({ err: new Error("no") }, "something else");
  outage.log.error({}, "nothing thrown");
  outage.log.error(null, "nothing at all");
  outage.requestLog.error({ err: new Error("no") }, "a request failed");
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  fail();
  outage.log.error({ err: new Error("no") }, "something else");
  expect(logged().map(({ level, msg }) => [level, msg])).toEqual([
    [50, "something else"],
    [50, "nothing thrown"],
    [50, "nothing at all"],
    [50, "a request failed"],
    [40, "the database does not answer; calls are refused until it does"],
    [50, "something else"],
  ]);
});

test("the database is probed only during an outage, and not after the stop", async () => {
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(probes).toBe(0);
  fail();
  outage.stop();
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(probes).toBe(0);
});
