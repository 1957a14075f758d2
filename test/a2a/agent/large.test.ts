import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import type { Services } from "../../../src/contract/call.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { NO_PAYMENTS } from "../../../src/domain/payments/payments.ts";
import { Mutex } from "../../../src/platform/concurrency.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { type BulkExecutor, bulkExecutor } from "../../../src/process/bulk/executor.ts";
import { codeOf, messageOf, resultOf, TestAgent } from "../../support/a2a/test-agent.ts";
import { type TestDatabase, testDatabase } from "../../support/database/database.ts";
import { TestClock } from "../../support/service/clock.ts";
import { stateOf } from "../../support/website/account-state.ts";

/** Large calls run on a thread, with a connection of its own. */
let database: TestDatabase;
let services: Services;
let bulk: BulkExecutor;
let agent: TestAgent;
let accountId: string;
let key: string;

beforeAll(async () => {
  database = await testDatabase();
  const config = readConfig({ DATABASE_URL: database.url });
  const lock = new Mutex();
  const db = await openDatabase(config.databaseUrl, { lock });
  services = { config, clock: new TestClock(), db, http: createHttpClient(config), payments: NO_PAYMENTS };
  bulk = bulkExecutor(services, lock);
  agent = new TestAgent({ ...services, clock: services.clock as TestClock }, () => bulk);
  const now = services.clock.now();
  await db.tx(async (tx) => {
    ({ id: accountId } = await createAccount(tx, { email: "large@example.com", now }));
    await bookSandboxOrder(tx, { accountId, pack: PACKS[0], credits: 10_000, now });
    key = await createKey(tx, { accountId, name: "large", mode: "sandbox", now });
  });
});

afterAll(async () => {
  expect((await audit(services.db)).problems).toEqual([]);
  await bulk.stop();
  await services.db.close();
  await database.drop();
});

const urls = Array.from({ length: 2_000 }, (_, n) => `https://example.com/${n}`);
const submit = { data: { skill: "submit_urls", input: { urls } } };

test("a large call twice at once: executed once, and its task is written with it by the thread for large calls", async () => {
  const message = messageOf(submit);
  const other = new TestAgent({ ...services, clock: services.clock as TestClock }, () => bulk);
  const [a, b] = await Promise.all([agent.send(key, message), other.send(key, message)]);
  expect(a).toEqual(b);
  expect(resultOf(a)).toMatchObject({ urls_accepted: 2_000, balance: 8_000 });
  expect((await stateOf(services.db, accountId)).projects).toHaveLength(1);
});

test("REJECTED insufficient_credits: a refusal on the thread for large calls is a task too", async () => {
  const many = urls.concat(urls.map((url) => `${url}/more`));
  const instant = { data: { skill: "submit_urls", input: { urls: many, mode: "instant" } } };
  const task = await agent.send(key, instant);
  expect([task.status.state, codeOf(task)]).toEqual(["TASK_STATE_REJECTED", "insufficient_credits"]);
});
