import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { post } from "../../../../src/domain/ledger/ledger.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { Checker } from "../../../../src/indexing/checker/checker.ts";
import { FaultInjector } from "../../../../src/indexing/engines/sandbox/faults.ts";
import { sandboxEngines } from "../../../../src/indexing/engines/sandbox/sandbox.ts";
import { AnchoredClock, DAY } from "../../../../src/platform/clock.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { version } from "../../../../src/platform/version.ts";
import { Metrics } from "../../../../src/process/metrics/metrics.ts";
import { type Family, parseMetrics } from "../../../support/checks/open-metrics.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const OPEN = "application/openmetrics-text; version=1.0.0";

const store = eachTest(testStore);

const GIVEN_UP = { kind: "adjustment", credits: -100, source: "account_deleted", description: "" } as const;

function metricsOf({ db, clock } = store): Metrics {
  const config = readConfig({ NODE_NAME: "node-1", DATABASE_URL: store.url });
  const service = new AnchoredClock({ realAt: clock.now(), serviceAt: clock.service(), scale: 1 });
  service.service = () => clock.service();
  return new Metrics({ db, clock: service, config }, { minIntervalMs: 0, waitMs: 10_000 });
}

async function read(metrics: Metrics, accept = OPEN): Promise<Map<string, Family>> {
  const { text } = await metrics.text(accept);
  return parseMetrics(text, accept === OPEN);
}

/** Values by the one label. */
function valuesOf(families: Map<string, Family>, name: string): Record<string, number> {
  const { samples } = families.get(name)!;
  return Object.fromEntries(samples.map(({ labels, value }) => [Object.values(labels).join(), value]));
}

test("the whole database: links, steps, orders and the ledger are counted", async () => {
  const account = await store.account(100);
  await store.index(account, pages(7));
  await store.check(account, pages(3));
  const metrics = metricsOf();
  const families = await read(metrics);
  expect(valuesOf(families, "beckon_links")).toEqual({
    waiting: 10,
    checking: 0,
    indexed: 0,
    not_indexed: 0,
    failed: 0,
  });
  expect(valuesOf(families, "beckon_steps")).toMatchObject({ resend: 0, check: 1 });
  expect(valuesOf(families, "beckon_orders_open")).toEqual({ "": 0 });
  expect(valuesOf(families, "beckon_mail_waiting")).toEqual({ "": 0 });
  expect(valuesOf(families, "beckon_mail_oldest_seconds")).toEqual({ "": 0 });
  const ledger = valuesOf(families, "beckon_ledger_credits");
  expect(ledger).toMatchObject({ purchase: 100, return: 0, adjustment: 0 });
  expect(ledger.purchase! + ledger.spend!).toBe(await store.balance(account));
  expect(valuesOf(families, "beckon_node_info")).toHaveProperty([`node-1,both,${store.db.dialect},${version}`], 1);
});

test("refunds of orders that failed are counted, and refunds of other products are not", async () => {
  const { cardPayments, cardRefunds } = store.db.t;
  await store.db.tx(async (tx) => {
    const payments = [
      { id: "pi_1", orderId: "ord_1", refundedCents: 0 },
      { id: "pi_2", orderId: null, refundedCents: 0 },
    ];
    await tx.q.insert(cardPayments).values(payments);
    const refunds = [
      { id: "re_1", paymentId: "pi_1", cents: 5, failedAt: 1, failureHeardAt: 1 },
      { id: "re_2", paymentId: "pi_1", cents: 5 },
      { id: "re_3", paymentId: "pi_2", cents: 5, failedAt: 1, failureHeardAt: 1 },
    ];
    await tx.q.insert(cardRefunds).values(refunds);
  });
  expect(valuesOf(await read(metricsOf()), "beckon_card_refunds_failed")).toEqual({ "": 1 });
});

test("money that moves for deleted accounts is counted, and what moved before is not", async () => {
  const account = await store.account(100);
  const { accounts } = store.db.t;
  const late = async () => valuesOf(await read(metricsOf()), "beckon_deleted_accounts_money")[""];
  await store.db.tx((tx) => post(tx, { ...GIVEN_UP, accountId: account, now: store.clock.now() }));
  await store.db.tx((tx) => tx.q.update(accounts).set({ deletedAt: store.clock.now() }));
  expect(await late()).toBe(0);
  store.clock.pass(1_000);
  const now = store.clock.now();
  await store.db.tx((tx) => bookSandboxOrder(tx, { accountId: account, pack: PACKS[0], now }));
  expect([await late(), await store.balance(account)]).toEqual([1, 0]);
});

test("the age of the oldest due step, or 0 if no step is due", async () => {
  await store.index(await store.account(100), pages(1));
  const metrics = metricsOf();
  store.clock.pass(60_000);
  const late = Object.values(valuesOf(await read(metrics), "beckon_steps_oldest_due_seconds"));
  expect(Math.max(...late)).toBe(60);
  expect(Math.min(...late)).toBe(0);
});

test("this node: its steps and verdicts are counted as the checker does them", async () => {
  const metrics = metricsOf();
  const log = { info() {}, warn() {}, error() {} };
  const engines = sandboxEngines(new FaultInjector([], store.clock.service()));
  const checker = new Checker({ ...store, engines, log, tracer: metrics.tracer });
  await store.index(await store.account(100), pages(4, "hour"));
  await checker.drain();
  store.clock.pass(5 * DAY);
  await checker.drain();
  const families = await read(metrics);
  expect(valuesOf(families, "beckon_verdicts").indexed).toBeGreaterThanOrEqual(4);
  const done = families.get("beckon_step_duration_seconds")!.samples.filter(({ name }) => name.endsWith("_count"));
  expect(done.map(({ labels }) => labels.action)).toEqual(expect.arrayContaining(["send", "check"]));
});

test("law: the text is valid in both formats, requested in turn or at once, and counters keep their names", async () => {
  const metrics = metricsOf();
  await metrics.tracer.span({ kind: "request", name: "x", attributes: { surface: "rest" } }, async (setAttributes) =>
    setAttributes({ class: "2xx" }),
  );
  for (const accept of [OPEN, "", OPEN, "*/*"]) await read(metrics, accept);
  const all = await Promise.all([OPEN, "", OPEN, ""].map((accept) => read(metrics, accept)));
  expect(all[1]!.has("process_cpu_seconds_total")).toBe(true);
  expect(all[2]!.has("process_cpu_seconds")).toBe(true);
  expect(all[0]!.get("beckon_http_request_duration_seconds")!.type).toBe("histogram");
  expect(all[0]!.get("nodejs_eventloop_lag_seconds")!.samples).toHaveLength(1);
});

test("law: no label holds an account, a host or a URL", async () => {
  const account = await store.account(100);
  await store.index(account, ["https://secret.example/"]);
  const { providerDays } = store.db.t;
  const zero = { accepted: 0, rejected: 0, uncertain: 0, indexed: 0, notIndexed: 0, unknown: 0, cost: 0, units: 0 };
  await store.db.tx(async (tx) => {
    for (const name of ["bing_webmaster secret.example", "bing_webmaster other.example", "serper"])
      await tx.q.insert(providerDays).values({ name, day: 20261122, calls: 3, failures: 1, ...zero });
  });
  const { text } = await metricsOf().text(OPEN);
  expect(text).not.toMatch(new RegExp(`${account}|example`));
  const families = parseMetrics(text, true);
  expect(valuesOf(families, "beckon_provider_calls")).toEqual({ bing_webmaster: 6, serper: 3 });
  expect(valuesOf(families, "beckon_provider_failures")).toEqual({ bing_webmaster: 2, serper: 1 });
});

test("while the database does not answer only the figures of this node are sent, soon, and no others", async () => {
  const hanging = { ...store.db, readCommitted: () => new Promise<never>(() => undefined) };
  const config = readConfig({});
  const clock = new AnchoredClock({ realAt: 0, serviceAt: 0, scale: 1 });
  const metrics = new Metrics({ db: hanging, clock, config }, { waitMs: 20 });
  const answered = await Promise.race([read(metrics), sleep(5_000, null)]);
  expect(answered!.get("beckon_links")!.samples).toEqual([]);
  expect(answered!.get("beckon_totals_age_seconds")!.samples).toEqual([]);
  expect(answered!.get("process_cpu_seconds")!.samples).toHaveLength(1);
});

test("connections of the pool are counted if there is a pool", async () => {
  const families = await read(metricsOf());
  if (store.db.dialect === "sqlite") expect(families.has("beckon_database_connections")).toBe(false);
  else {
    expect(valuesOf(families, "beckon_database_connections")).toMatchObject({
      idle: expect.any(Number),
      busy: expect.any(Number),
    });
    expect(valuesOf(families, "beckon_database_retries")).toEqual({ "": expect.any(Number) });
  }
});
