import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { DAY } from "../../../src/platform/clock.ts";
import { type Config, readConfig } from "../../../src/platform/config/config.ts";
import { syncClock } from "../../../src/process/clock-sync.ts";
import { advanceClock, type Instance, openInstance, readAnchor, readMode } from "../../../src/process/instance.ts";
import { scratchFolder } from "../../support/service/cli.ts";

test("a new database is stamped with the mode, and cannot be opened in the other one", async () => {
  const config = settings();
  const { db } = await open(config);
  expect(await readMode(db)).toBe("sandbox");
  await expect(openInstance({ ...config, mode: "live" })).rejects.toThrow(/sandbox service.*live.*DATABASE_URL/s);
  await open(config);
});

test("service time begins at the current time, and runs at TIME_SCALE, by default 1", async () => {
  const before = Date.now();
  const plain = await open(settings());
  expect(plain.clock.anchor.scale).toBe(1);
  expect(plain.clock.service()).toBeGreaterThanOrEqual(before);
  const fast = await open(settings({ TIME_SCALE: "3600" }));
  await sleep(20);
  expect(fast.clock.service() - before).toBeGreaterThanOrEqual(20 * 3600);
});

test("TIME_SCALE, if unset or unchanged, keeps the anchor; a change sets a new anchor at the current service time", async () => {
  const config = settings({ TIME_SCALE: "100000" });
  const first = await open(config);
  for (const timeScale of [undefined, 100_000]) {
    const again = await open({ ...config, timeScale });
    expect(again.clock.anchor).toEqual(first.clock.anchor);
  }
  await sleep(10);
  const reached = first.clock.service();
  const slow = await open({ ...config, timeScale: 1 });
  expect(slow.clock.anchor.scale).toBe(1);
  expect(slow.clock.service()).toBeGreaterThanOrEqual(reached);
  expect((await open({ ...config, timeScale: undefined })).clock.anchor).toEqual(slow.clock.anchor);
});

test("law: only a service sets the clock: whatever else opens the database has the stored one, whatever its TIME_SCALE says", async () => {
  const config = settings();
  const service = await open(config);
  const command = await openInstance({ ...config, timeScale: 300_000 });
  onTestFinished(() => command.db.close());
  expect(command.clock.anchor).toEqual(service.clock.anchor);
  expect(await readAnchor(service.db)).toEqual(service.clock.anchor);
});

test("two processes that open a new database at once keep one anchor", async () => {
  const config = settings();
  const [a, b] = await Promise.all([open(config), open(config)]);
  expect(a.clock.anchor).toEqual(b.clock.anchor);
});

test("the clock of a sandbox is moved forward, for all its processes, and never back", async () => {
  const config = settings({ TIME_SCALE: "7" });
  const here = await open(config);
  const serviceTime = here.clock.service() + 4 * DAY;
  await advanceClock(here, serviceTime);
  expect(here.clock.service()).toBeGreaterThanOrEqual(serviceTime);
  expect(here.clock.anchor.scale).toBe(7);
  expect((await open(config)).clock.anchor).toEqual(here.clock.anchor);
  await advanceClock(here, serviceTime - DAY);
  expect(here.clock.anchor.serviceAt).toBeGreaterThanOrEqual(serviceTime);
});

test("the clock of a live service cannot be moved", async () => {
  const { db, clock, config } = await open(settings());
  const before = clock.anchor;
  const live = { db, clock, config: { ...config, mode: "live" } as const };
  await expect(advanceClock(live, clock.service() + DAY)).rejects.toThrow(/only the clock of a sandbox/);
  expect(clock.anchor).toBe(before);
  expect(await readAnchor(db)).toEqual(before);
});

test("a running process adopts an anchor that another one set, and its service time never goes back", async () => {
  const config = settings({ TIME_SCALE: "100000" });
  const running = await open(config);
  let changes = 0;
  const stop = syncClock(running, () => changes++, 5);
  onTestFinished(stop);
  const reached = running.clock.service();
  const other = await open({ ...config, timeScale: 2 });
  await expect.poll(() => changes).toBe(1);
  expect(running.clock.anchor).toEqual(other.clock.anchor);
  expect(running.clock.anchor).toEqual(await readAnchor(running.db));
  expect(running.clock.service()).toBeGreaterThanOrEqual(reached);
});

function settings(env: NodeJS.ProcessEnv = {}): Config {
  return readConfig({ DATABASE_URL: `file:${join(scratchFolder(), "data", "test.db")}`, ...env });
}

async function open(config: Config): Promise<Instance> {
  const instance = await openInstance(config, { migrates: true, setsClock: true });
  onTestFinished(() => instance.db.close());
  return instance;
}
