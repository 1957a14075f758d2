import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, count, eq, gt, isNotNull, max, min, type SQL, sql, sum } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { type Action, LINK_STATES, type LinkState } from "../../domain/projects/states.ts";

/** Rows that one query sums up. Nothing else runs on SQLite during a query, so it has to be short. */
const BATCH = 20_000;
/** Time limit of all queries together, in ms. */
const TIMEOUT_MS = 10_000;

/** Totals of the whole database, the same on every node. */
export interface Totals {
  readonly links: Readonly<Record<LinkState, number>>;
  /** By action. `oldestDueAt` is in service time, and null if no step is waiting. */
  readonly steps: Readonly<Record<Action, { readonly count: number; readonly oldestDueAt: number | null }>>;
  readonly openOrders: number;
  readonly failedRefunds: number;
  /** Mail that waits to be sent. `oldestAt` is in real time, and null if none is waiting. */
  readonly mail: { readonly count: number; readonly oldestAt: number | null };
  readonly providers: Readonly<Record<string, ProviderTotals>>;
}

export interface ProviderTotals {
  readonly calls: number;
  readonly failures: number;
}

/** @throws Error when the database does not answer, or takes too long */
export function readTotals(db: Engine): Promise<Totals> {
  const deadline = performance.now() + TIMEOUT_MS;
  return db.readCommitted(async (reader) => ({
    links: await linksOf(reader, deadline),
    steps: await stepsOf(reader, deadline),
    openOrders: await openOrdersOf(reader),
    failedRefunds: await failedRefundsOf(reader),
    mail: await mailOf(reader),
    providers: await providersOf(reader, deadline),
  }));
}

/** Sums the counts that projects keep of their links. There are hundreds of times as many links as projects. */
async function linksOf({ q, t: { projects } }: Reader, deadline: number): Promise<Totals["links"]> {
  const totals: Record<LinkState, number> = { waiting: 0, checking: 0, indexed: 0, not_indexed: 0, failed: 0 };
  await inBatches(0, deadline, async (last) => {
    const batch = q
      .select()
      .from(projects)
      .where(gt(projects.no, last))
      .orderBy(asc(projects.no))
      .limit(BATCH)
      .as("batch");
    const { waiting, checking, indexed, notIndexed, failed } = batch;
    const columns = { waiting, checking, indexed, not_indexed: notIndexed, failed };
    const sums = Object.fromEntries(LINK_STATES.map((state) => [state, total(columns[state])]));
    const [row] = await q.select({ last: max(batch.no), sums }).from(batch);
    for (const state of LINK_STATES) totals[state] += row!.sums[state]!;
    return row!.last;
  });
  return totals;
}

async function stepsOf({ q, t: { steps } }: Reader, deadline: number): Promise<Totals["steps"]> {
  const none = { count: 0, oldestDueAt: null as number | null };
  const totals = { send: { ...none }, resend: { ...none }, check: { ...none }, preflight: { ...none } };
  const { id, action, dueAt } = steps;
  await inBatches(0, deadline, async (last) => {
    const batch = q
      .select({ id, action, dueAt })
      .from(steps)
      .where(gt(id, last))
      .orderBy(asc(id))
      .limit(BATCH)
      .as("batch");
    const rows = await q
      .select({ action: batch.action, last: max(batch.id), count: count(), oldest: min(batch.dueAt) })
      .from(batch)
      .groupBy(batch.action);
    for (const row of rows) {
      const sum = totals[row.action];
      sum.count += row.count;
      sum.oldestDueAt = Math.min(sum.oldestDueAt ?? Number.POSITIVE_INFINITY, row.oldest!);
    }
    return rows.length === 0 ? null : Math.max(...rows.map((row) => row.last!));
  });
  return totals;
}

async function mailOf({ q, t: { mailQueue } }: Reader): Promise<Totals["mail"]> {
  const [row] = await q.select({ count: count(), oldestAt: min(mailQueue.createdAt) }).from(mailQueue);
  return row!;
}

async function openOrdersOf({ q, t: { orders } }: Reader): Promise<number> {
  const [row] = await q.select({ count: count() }).from(orders).where(eq(orders.status, "pending"));
  return row!.count;
}

async function failedRefundsOf({ q, t: { cardRefunds, cardPayments } }: Reader): Promise<number> {
  const [row] = await q
    .select({ count: count() })
    .from(cardRefunds)
    .innerJoin(cardPayments, eq(cardPayments.id, cardRefunds.paymentId))
    .where(and(isNotNull(cardRefunds.failedAt), isNotNull(cardPayments.orderId)));
  return row!.count;
}

/**
 * A provider with a quota per host has a row for each host, named `provider host`. The rows are summed, because hosts
 * are no labels.
 */
async function providersOf({ q, t: { providerDays } }: Reader, deadline: number): Promise<Totals["providers"]> {
  const totals: Record<string, { calls: number; failures: number }> = {};
  const { name, day, calls, failures } = providerDays;
  await inBatches({ name: "", day: 0 }, deadline, async (after) => {
    const rows = await q
      .select({ name, day, calls, failures })
      .from(providerDays)
      .where(sql`(${name}, ${day}) > (${after.name}, ${after.day})`)
      .orderBy(asc(name), asc(day))
      .limit(BATCH / 4);
    for (const row of rows) {
      const provider = row.name.split(" ")[0]!;
      const sum = totals[provider] ?? { calls: 0, failures: 0 };
      totals[provider] = { calls: sum.calls + row.calls, failures: sum.failures + row.failures };
    }
    return rows.at(-1) ?? null;
  });
  return totals;
}

/** The sum of all ledger entries by kind, in credits. @throws Error when the database does not answer, or takes too long */
export function readLedger(db: Engine): Promise<Readonly<Record<string, number>>> {
  const deadline = performance.now() + TIMEOUT_MS;
  return db.readCommitted(async ({ q, t: { ledger } }) => {
    const totals: Record<string, number> = { purchase: 0, spend: 0, return: 0, adjustment: 0 };
    const { accountId, no, kind, credits } = ledger;
    await inBatches({ accountId: "", no: 0 }, deadline, async (after) => {
      const isAfter = sql`(${accountId}, ${no}) > (${after.accountId}, ${after.no})`;
      const [end] = await q
        .select({ accountId, no })
        .from(ledger)
        .where(isAfter)
        .orderBy(asc(accountId), asc(no))
        .limit(1)
        .offset(BATCH - 1);
      // Every batch ends at the same entry, even if others are booked in between, so that no entry counts twice.
      const isBefore = end && sql`(${accountId}, ${no}) <= (${end.accountId}, ${end.no})`;
      const rows = await q
        .select({ kind, credits: total(credits) })
        .from(ledger)
        .where(and(isAfter, isBefore))
        .groupBy(kind);
      for (const row of rows) totals[row.kind] = (totals[row.kind] ?? 0) + row.credits;
      return end ?? null;
    });
    return totals;
  });
}

/**
 * How often money has moved for an account after its deletion: entries of orders in the ledgers of tombstones.
 * @throws Error when the database does not answer
 */
export function readLateMoney(db: Engine): Promise<number> {
  return db.readCommitted(async ({ q, t: { accounts, ledger } }) => {
    const isLate = and(isNotNull(accounts.deletedAt), isNotNull(ledger.orderId), gt(ledger.at, accounts.deletedAt));
    const [row] = await q
      .select({ count: count() })
      .from(accounts)
      .innerJoin(ledger, eq(ledger.accountId, accounts.id))
      .where(isLate);
    return row!.count;
  });
}

/** Reads batch after batch. `read` returns the key at which the next batch begins, or null after the last. */
async function inBatches<K>(first: K, deadline: number, read: (after: K) => Promise<K | null>): Promise<void> {
  for (let after: K | null = first; after !== null; ) {
    if (performance.now() > deadline) throw new Error("the totals take too long");
    after = await read(after);
    // Other work of this thread runs in between.
    await nextTurn();
  }
}

function total(column: Parameters<typeof sum>[0]): SQL<number> {
  return sql<number>`coalesce(${sum(column)}, 0)`.mapWith(Number);
}
