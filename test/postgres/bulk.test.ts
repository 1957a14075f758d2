import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NO_PAYMENTS } from "../../src/domain/payments/payments.ts";
import type { Lock } from "../../src/platform/concurrency.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { createHttpClient } from "../../src/platform/http-client/http-client.ts";
import { type BulkExecutor, bulkExecutor } from "../../src/process/bulk/executor.ts";
import submitUrls from "../../tools/submit-urls.ts";
import { CLEANER } from "../support/database/database.ts";
import { keyPrincipal } from "../support/database/key-principal.ts";
import { testStore } from "../support/database/store.ts";
import { eachTest } from "../support/service/each-test.ts";

/** There is no one writer to stand in a queue for. */
const noLock: Lock = {
  run: () => Promise.reject(new Error("the writer of SQLite was asked for")),
};

const store = eachTest(testStore);
let bulk: BulkExecutor;
let watcher: pg.Client;
beforeEach(async () => {
  const config = readConfig({ DATABASE_URL: store.url });
  const services = { db: store.db, clock: store.clock, config, http: createHttpClient(config), payments: NO_PAYMENTS };
  bulk = bulkExecutor(services, noLock);
  watcher = new pg.Client({ connectionString: store.url });
  await watcher.connect();
});
afterEach(async () => {
  await bulk.stop();
  await watcher.end();
});

/** Connections of the thread: those that are not the store's. */
async function connections(): Promise<number> {
  const { rows } = await watcher.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
       AND application_name <> '${CLEANER}'`,
  );
  return rows[0]!.n - store.db.stats!().poolTotal;
}

async function submit(accountId: string, name: string, count: number) {
  const urls = Array.from({ length: count }, (_, index) => `https://example.com/${name}/${index}`);
  const principal = await keyPrincipal(store.db, accountId);
  const call = { operation: submitUrls, audience: "program", principal } as const;
  return bulk.run({ ...call, input: { urls }, requestsToday: 1 });
}

test("large submissions run on the bulk thread, several at once, over its own two connections", async () => {
  const accounts = await Promise.all([store.account(30_000), store.account(25_000)]);
  const made = [1, 2, 3].flatMap((no) => accounts.map((account) => submit(account, `${account}/${no}`, 10_000)));
  const outcomes = await Promise.allSettled(made);
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject([{ reason: { code: "insufficient_credits" } }]);
  expect(await Promise.all(accounts.map((account) => store.balance(account)))).toEqual([0, 5_000]);
  expect(await store.problems()).toEqual([]);
  const open = await connections();
  expect(open).toBeGreaterThan(0);
  expect(open).toBeLessThanOrEqual(2);
  await bulk.stop();
  await expect.poll(connections).toBe(0);
});
