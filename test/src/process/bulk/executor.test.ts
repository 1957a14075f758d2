import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../../db/open.ts";
import type { Call, Services } from "../../../../src/contract/call.ts";
import { inlineExecutor } from "../../../../src/contract/executor.ts";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { audit } from "../../../../src/domain/audit/audit.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { NO_PAYMENTS } from "../../../../src/domain/payments/payments.ts";
import { type Lock, Mutex } from "../../../../src/platform/concurrency.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { RawList } from "../../../../src/platform/json/raw-list.ts";
import type { Principal } from "../../../../src/platform/principal.ts";
import { type BulkExecutor, bulkExecutor } from "../../../../src/process/bulk/executor.ts";
import submitUrls from "../../../../tools/submit-urls.ts";
import { keyPrincipal } from "../../../support/database/key-principal.ts";
import { TestClock } from "../../../support/service/clock.ts";

let folder: string;
let services: Services;
let bulk: BulkExecutor;
let principal: Principal;
let lock: Lock;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-bulk-"));
  const config = readConfig({ DATABASE_URL: `file:${join(folder, "bulk.db")}` });
  lock = new Mutex();
  services = {
    config,
    clock: new TestClock(),
    db: await openDatabase(config.databaseUrl, { lock }),
    http: createHttpClient(config),
    payments: NO_PAYMENTS,
  };
  bulk = bulkExecutor(services, lock);
});

beforeEach(async () => {
  const now = services.clock.now();
  const accountId = await services.db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email: `${randomUUID()}@example.com`, now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: 100_000, now });
    return id;
  });
  principal = await keyPrincipal(services.db, accountId, ["index", "read"]);
});

afterAll(async () => {
  expect((await audit(services.db)).problems).toEqual([]);
  await bulk.stop();
  await services.db.close();
  rmSync(folder, { recursive: true });
});

function submission(urls: readonly string[], idempotencyKey?: string): Call {
  const call = { operation: submitUrls, idempotencyKey, audience: "program", principal, requestsToday: 1 } as const;
  return { ...call, input: { urls: new RawList(Uint8Array.from(Buffer.from(JSON.stringify(urls))), urls.length) } };
}

const pages = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `https://example.com/a-page-of-some-length/${name}/${index}`);

/** What an answer says but for the ids and times in it. */
function shape(text: string) {
  const { project, balance, ...rest } = JSON.parse(text);
  const { id: _id, dashboard_url: _url, ...same } = project;
  return { ...rest, project: same };
}

test("the thread answers a large call as the main thread does, at the time of the call", async () => {
  const large = await bulk.run(submission(pages(3_000, "x")));
  const here = await inlineExecutor(services).run(submission(pages(3_000, "x")));
  expect(shape(large.text)).toEqual(shape(here.text));
  expect(JSON.parse(large.text).project.created_at).toBe(new Date(services.clock.service()).toISOString());
});

test("input with many entries is sent to the thread in its parsed form", async () => {
  const { text } = await bulk.run({ ...submission([]), input: { urls: pages(1_500, "json") } });
  expect(JSON.parse(text).urls_accepted).toBe(1_500);
});

test("idempotency: a replay from the thread is the first answer byte for byte", async () => {
  const first = await bulk.run(submission(pages(2_000, "again"), "k"));
  const second = await bulk.run(submission(pages(2_000, "again"), "k"));
  expect([first.replayed, second]).toEqual([false, { text: first.text, replayed: true }]);
  await expect(bulk.run(submission(pages(2_001, "again"), "k"))).rejects.toMatchObject({
    code: "idempotency_mismatch",
  });
});

test("400 too_many_urls, 402 insufficient_credits: a refusal on the thread keeps its fields", async () => {
  const refused = bulk.run(submission(pages(10_001, "many")));
  await expect(refused).rejects.toMatchObject({
    code: "too_many_urls",
    status: 400,
    fields: { urls: 10_001, max: 10_000 },
  });
  for (let n = 0; n < 10; n++) await bulk.run(submission(pages(10_000, `spend-${n}`)));
  const short = bulk.run(submission(pages(2_000, "short")));
  await expect(short).rejects.toMatchObject({ code: "insufficient_credits", fields: { needed: 2_000, balance: 0 } });
});

test("law: large calls and transactions of the main thread alternate at the writer, and nothing is lost", async () => {
  const now = services.clock.now();
  const grant = (n: number) =>
    services.db.tx((tx) =>
      bookSandboxOrder(tx, { accountId: principal.accountId, pack: PACKS[0], credits: n, now }).then(() => n),
    );
  const before = await audit(services.db);
  const jobs = Array.from({ length: 12 }, (_, n) => [bulk.run(submission(pages(2_000, `turn-${n}`))), grant(1)]).flat();
  await Promise.all(jobs);
  const { projects, links, problems } = await audit(services.db);
  expect([projects - before.projects, links - before.links, problems]).toEqual([12, 24_000, []]);
});

test("law: no thread runs before the first large call, and after the stop none is started: 503", async () => {
  const threads = () => (process.report.getReport() as { workers: unknown[] }).workers.length;
  const before = threads();
  const other = bulkExecutor(services, lock);
  await other.run({ ...submission([]), input: { urls: ["https://example.com/"] } });
  expect(threads()).toBe(before);
  await other.run(submission(["https://example.com/"]));
  expect(threads()).toBe(before + 1);
  await other.stop();
  await expect(other.run(submission(["https://example.com/"]))).rejects.toMatchObject({ code: "unavailable" });
  expect(threads()).toBe(before);
});
