import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { reopenDatabase } from "../../db/open.ts";
import { call } from "../../src/contract/call.ts";
import { NO_PAYMENTS } from "../../src/domain/payments/payments.ts";
import { DAY } from "../../src/platform/clock.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { createHttpClient } from "../../src/platform/http-client/http-client.ts";
import type { Principal } from "../../src/platform/principal.ts";
import submitUrls from "../../tools/submit-urls.ts";
import { keyPrincipal } from "../support/database/key-principal.ts";
import { pages, type TestStore, testStore } from "../support/database/store.ts";
import { testChecker } from "../support/service/checker.ts";

const config = readConfig({ SITE_URL: "http://beckon.test" });
const http = createHttpClient(config);

let store: TestStore;
let account: string;
let caller: Principal;
/** Bare, whatever else the run does with its databases. */
let db: Engine;
beforeEach(async () => {
  store = await testStore();
  account = await store.account(100_000);
  caller = await keyPrincipal(store.db, account);
  db = await reopenDatabase(store.url, {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await db.close();
  await store.close();
});

/** What PostgreSQL is asked while `work` runs, in the first words of each statement. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = spy.mock.calls.map(([given]) => (typeof given === "string" ? given : (given as { text: string }).text));
  spy.mockRestore();
  // Of the sessions, not of the work.
  return texts.filter((text) => !text.includes("lock_timeout")).map((text) => text.trim().slice(0, 40));
}

async function submit(count: number): Promise<unknown> {
  const services = { db, clock: store.clock, config, http, payments: NO_PAYMENTS };
  const made = { operation: submitUrls, input: { urls: pages(count, "never") }, idempotencyKey: randomUUID() };
  return call(services, {
    ...made,
    audience: "program",
    principal: caller,
    requestsToday: 1,
  });
}

test.each([1, 500, 10_000])("law: a submission is at most 20 statements, however many links: %i", async (count) => {
  const statements = await statementsOf(() => submit(count));
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(20);
});

test.each([1, 500])(
  "law: to send a step, look at it and settle it takes so many statements, whatever its size: %i",
  async (count) => {
    const project = await store.index(account, pages(count, "never"));
    const { checker, troubles } = testChecker({ db, clock: store.clock });
    const drain = () => statementsOf(() => checker.drain());
    const sent = await drain();
    store.clock.pass(0, 5 * DAY);
    const looked = await drain();
    store.clock.pass(0, 15 * DAY);
    await drain();
    store.clock.pass(0, DAY);
    const settled = await drain();
    expect(troubles).toEqual([]);
    expect(await store.reload(project)).toMatchObject({ status: "completed", creditsReturned: count });
    const all = [sent, looked, settled];
    expect(
      all.map(({ length }) => length),
      all.map((one) => one.join("\n")).join("\n\n"),
    ).toEqual([26, 15, 21]);
  },
);
