import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { reopenDatabase } from "../../db/open.ts";
import { call } from "../../src/contract/call.ts";
import { NO_PAYMENTS } from "../../src/domain/payments/payments.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";
import { createHttpClient } from "../../src/platform/http-client/http-client.ts";
import submitUrls from "../../tools/submit-urls.ts";
import { keyPrincipal } from "../support/database/key-principal.ts";
import { pages, testStore } from "../support/database/store.ts";
import { testChecker } from "../support/service/checker.ts";
import { eachTest } from "../support/service/each-test.ts";

const SUBMITTERS = 24;
const URLS = 5;

const config = readConfig({ SITE_URL: "http://beckon.test" });
const http = createHttpClient(config);

const store = eachTest(testStore);
let nodes: Engine[];
beforeEach(async () => {
  nodes = await Promise.all([open(), open()]);
});
afterEach(async () => {
  expect(await store.problems()).toEqual([]);
  for (const node of nodes) await node.close();
});

/** Another process, as far as the database can tell. */
function open(): Promise<Engine> {
  return reopenDatabase(store.url, { pool: 10 });
}

function retried(): number {
  return nodes.reduce((sum, node) => sum + node.stats!().retried, 0);
}

/** A submission as a surface makes it. @returns what was refused */
async function submit(db: Engine, accountId: string, fate?: string): Promise<string | null> {
  const services = { db, clock: store.clock, config, http, payments: NO_PAYMENTS };
  const made = { operation: submitUrls, input: { urls: pages(URLS, fate) }, idempotencyKey: randomUUID() };
  try {
    const principal = await keyPrincipal(store.db, accountId);
    await call(services, { ...made, audience: "program", principal, requestsToday: 1 });
    return null;
  } catch (thrown) {
    return (thrown as { code?: string }).code ?? String(thrown);
  }
}

test("law: concurrent spends on all nodes never exceed the balance, and every call is answered", async () => {
  const times = 3;
  const account = await store.account(URLS * (SUBMITTERS * times - 7));
  const answers: (string | null)[] = [];
  const submitter = async (_: unknown, index: number) => {
    for (let left = times; left > 0; left--) answers.push(await submit(nodes[index % 2]!, account));
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitter));
  expect(answers.filter((refused) => refused === null)).toHaveLength(SUBMITTERS * times - 7);
  expect(answers.filter((refused) => refused === "insufficient_credits")).toHaveLength(7);
  expect(await store.balance(account)).toBe(0);
});

test("law: transactions of unrelated accounts never conflict", async () => {
  const accounts = await Promise.all(Array.from({ length: SUBMITTERS }, () => store.account(1_000)));
  const submitter = async (account: string, index: number) => {
    for (let left = 3; left > 0; left--) expect(await submit(nodes[index % 2]!, account)).toBeNull();
  };
  await Promise.all(accounts.map(submitter));
  expect(retried()).toBe(0);
});

test("law: transactions of one process on one account never conflict", async () => {
  const account = await store.account(10_000);
  const [node] = nodes as [Engine];
  const { checker, troubles } = testChecker({ db: node, clock: store.clock });
  for (let left = SUBMITTERS; left > 0; left--) await submit(node, account, "never");
  const submitting = Array.from({ length: 12 }, () => submit(node, account, "never"));
  await Promise.all([checker.drain(), ...submitting]);
  store.clock.pass(0, 15 * 86_400_000);
  await Promise.all([checker.drain(), ...Array.from({ length: 12 }, () => submit(node, account))]);
  expect(troubles).toEqual([]);
  expect(node.stats!().retried).toBe(0);
});

test("steps of few accounts are done on two nodes while more is submitted, each link once", async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => store.account(10_000)));
  const workers = nodes.map((db) => testChecker({ db, clock: store.clock }));
  const submitter = (_: unknown, index: number) => submit(nodes[index % 2]!, accounts[index % 4]!, "never");
  for (let days = 0; days < 20; days++) {
    const submitted = days < 3 ? Array.from({ length: SUBMITTERS }, submitter) : [];
    const refusals = await Promise.all(submitted);
    expect(refusals.filter((refused) => refused !== null)).toEqual([]);
    await Promise.all(workers.map(({ checker }) => checker.drain()));
    store.clock.pass(0, 86_400_000);
  }
  for (const { troubles } of workers) expect(troubles).toEqual([]);
  const left = await store.db.q.select({ status: store.db.t.projects.status }).from(store.db.t.projects);
  expect(left).toHaveLength(3 * SUBMITTERS);
  expect(left.filter(({ status }) => status !== "completed")).toEqual([]);
  for (const account of accounts) expect(await store.balance(account)).toBe(10_000);
});

test("conflicts that last too long end as unavailable, for the transaction and for the ones queued behind it", async () => {
  const hasty = await reopenDatabase(store.url, { retryMs: 200 });
  nodes.push(hasty);
  const never = () =>
    hasty.tx(
      async () => {
        throw Object.assign(new Error("a conflict"), { code: "40001" });
      },
      { serializeBy: "busy" },
    );
  const outcomes = await Promise.allSettled([never(), never(), never()]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: { message: "Too many transactions were changing the same rows." },
    });
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailable);
  }
  expect(await hasty.tx(async () => "passed", { serializeBy: "busy" })).toBe("passed");
});
