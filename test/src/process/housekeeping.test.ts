import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { acquireKey } from "../../../src/domain/calls/idempotency-keys.ts";
import { hashOf } from "../../../src/domain/credentials/secrets.ts";
import { purgeAuth } from "../../../src/domain/oauth/purge.ts";
import { succeed } from "../../../src/domain/oauth/successors.ts";
import { issueAccessToken, issueRefreshToken } from "../../../src/domain/oauth/tokens.ts";
import { createLink } from "../../../src/domain/users/mailed-links.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/platform/clock.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { startHousekeeping } from "../../../src/process/housekeeping.ts";
import { type TestStore, testStore } from "../../support/database/store.ts";
import { overlapOf } from "../../support/oauth/overlap.ts";
import { eventually } from "../../support/service/eventually.ts";
import { visitor } from "../../support/website/test-users.ts";

const silentMailer = { queue: async () => undefined };
let store: TestStore;
const errors: object[] = [];
const log = { error: (fields: object) => void errors.push(fields) };

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
  store = await testStore();
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

const tokens = () => store.db.q.select().from(store.db.t.accessTokens);
const issue = () =>
  store.db.tx((tx) =>
    issueAccessToken(tx, { grantId: "grt_x", audience: "", scopes: ["read"], now: store.clock.now() }),
  );

/** What housekeeping needs; the database has the same clock, whose reads are counted. */
function deps() {
  let reads = 0;
  const now = async () => {
    reads += 1;
    return store.clock.now();
  };
  /** Waits until a round is over: the time is read twice by the scheduler and once by a purge. */
  const round = async () => {
    await eventually(() => expect(reads).toBe(3));
    await new Promise(setImmediate);
  };
  return { clock: store.clock, db: { ...store.db, now }, config: readConfig({}), mailer: silentMailer, round };
}

test("expired rows are deleted a minute after the start and then every hour; not before, and not after the stop", async () => {
  const service = deps();
  const stop = startHousekeeping(service, log);
  await issue();
  store.clock.pass(2 * HOUR);
  vi.advanceTimersByTime(MINUTE - 1);
  // Not by waiting for it, which would let the timers go on.
  expect(await tokens()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await eventually(async () => expect(await tokens()).toEqual([]));
  await issue();
  store.clock.pass(2 * HOUR);
  await service.round();
  vi.advanceTimersByTime(HOUR);
  await eventually(async () => expect(await tokens()).toEqual([]));
  await stop();
  await issue();
  store.clock.pass(2 * HOUR);
  vi.advanceTimersByTime(3 * HOUR);
  await stop();
  expect(await tokens()).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("expired links that were mailed to users are deleted", async () => {
  const links = () => store.db.q.select().from(store.db.t.mailLinks);
  const mailed = { purpose: "reset", passwordHash: null, visitor: visitor("mine"), returnTo: "/" } as const;
  const mail = (email: string) => store.db.tx((tx) => createLink(tx, { ...mailed, email, now: store.clock.now() }));
  await mail("ann@example.com");
  store.clock.pass(DAY);
  await mail("bob@example.com");
  const stop = startHousekeeping(deps(), log);
  vi.advanceTimersByTime(MINUTE);
  await eventually(async () => expect(await links()).toMatchObject([{ email: "bob@example.com" }]));
  await stop();
  expect(errors).toEqual([]);
});

test("idempotency keys are deleted a day after their call", async () => {
  const keys = () => store.db.q.select().from(store.db.t.idempotency);
  const key = { accountId: "acc_x", operation: "submit_urls", key: "k" };
  await acquireKey(store.db, key, "hash", store.clock.now());
  store.clock.pass(DAY + 1);
  const stop = startHousekeeping(deps(), log);
  vi.advanceTimersByTime(MINUTE);
  await eventually(async () => expect(await keys()).toEqual([]));
  await stop();
  expect(errors).toEqual([]);
});

test("successors of refresh tokens are forgotten every minute, once the overlap is over", async () => {
  const sealed = () => store.db.q.select().from(store.db.t.refreshTokens);
  const forget = async (config: ReturnType<typeof readConfig>) => {
    const token = await store.db.tx((tx) =>
      issueRefreshToken(tx, { grantId: "grt_x", audience: "", now: store.clock.now() }),
    );
    const use = { successor: "beckon_rt_x", overlap: overlapOf(20 * SECOND), now: store.clock.now() };
    await store.db.tx((tx) => succeed(tx, hashOf(token), use));
    store.clock.pass(20 * SECOND);
    const stop = startHousekeeping({ ...deps(), config }, log);
    vi.advanceTimersByTime(MINUTE);
    await eventually(async () => expect(await store.db.q.select().from(store.db.t.ticks)).not.toEqual([]));
    await stop();
    return (await sealed()).map(({ sealedSuccessor }) => sealedSuccessor !== null);
  };
  expect(await forget(readConfig({ REFRESH_OVERLAP_SECONDS: "20" }))).toEqual([false]);
  // Where it was switched off, the hourly run does so after the longest that it could be.
  expect(await forget(readConfig({}))).toEqual([false, true]);
  store.clock.pass(40 * SECOND);
  await purgeAuth(store.db, store.clock.now());
  expect((await sealed()).map(({ sealedSuccessor }) => sealedSuccessor)).toEqual([null, null]);
  expect(errors).toEqual([]);
});

test("of two services one does the work, and an error in one job does not stop the others", async () => {
  const links = () => store.db.q.select().from(store.db.t.mailLinks);
  const mailed = { purpose: "reset", passwordHash: null, visitor: visitor("mine"), returnTo: "/" } as const;
  await store.db.tx((tx) => createLink(tx, { ...mailed, email: "ann@example.com", now: store.clock.now() }));
  await issue();
  store.clock.pass(DAY);
  const { db, ...rest } = deps();
  const broken = { ...db.t, codes: undefined } as unknown as typeof db.t;
  const stops = [1, 2].map(() => startHousekeeping({ ...rest, db: { ...db, t: broken } }, log));
  vi.advanceTimersByTime(MINUTE);
  await eventually(async () => expect(await links()).toEqual([]));
  for (const stop of stops) await stop();
  expect(errors.splice(0)).toHaveLength(1);
  expect(await store.db.q.select().from(store.db.t.ticks)).toMatchObject([{ job: "housekeeping" }]);
});
