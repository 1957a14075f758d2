import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, count, eq, gt, max, min, type SQL, sql, sum } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { type Action, LINK_STATES, type LinkState } from "../../domain/projects/states.ts";

/** Rows that are added up in one go: a few ms, in which nothing else runs on SQLite. */
const PORTION = 20_000;
/** Give up after that, in ms. */
const MOST_MS = 10_000;

/** Of the whole database, whichever node asks. */
export interface Totals {
  readonly links: Readonly<Record<LinkState, number>>;
  /** By action. `oldestDueAt`: service time, null where none is waiting. */
  readonly steps: Readonly<Record<Action, { readonly count: number; readonly oldestDueAt: number | null }>>;
  readonly openOrders: number;
  readonly providers: Readonly<Record<string, ProviderTotals>>;
}

export interface ProviderTotals {
  readonly calls: number;
  readonly failures: number;
}

/** What changes all the time. @throws Error when the database does not answer, or takes too long */
export function readTotals(db: Engine): Promise<Totals> {
  const deadline = performance.now() + MOST_MS;
  return db.readCommitted(async (reader) => ({
    links: await linksOf(reader, deadline),
    steps: await stepsOf(reader, deadline),
    openOrders: await openOrdersOf(reader),
    providers: await providersOf(reader, deadline),
  }));
}

/** Projects count their links by state; the links themselves are hundreds of times as many. */
async function linksOf({ q, t: { projects } }: Reader, deadline: number): Promise<Totals["links"]> {
  const totals: Record<LinkState, number> = { waiting: 0, checking: 0, indexed: 0, not_indexed: 0, failed: 0 };
  await inPortions(0, deadline, async (last) => {
    const part = q
      .select()
      .from(projects)
      .where(gt(projects.no, last))
      .orderBy(asc(projects.no))
      .limit(PORTION)
      .as("part");
    const { waiting, checking, indexed, notIndexed, failed } = part;
    const columns = { waiting, checking, indexed, not_indexed: notIndexed, failed };
    const sums = Object.fromEntries(LINK_STATES.map((state) => [state, total(columns[state])]));
    const [row] = await q.select({ last: max(part.no), sums }).from(part);
    for (const state of LINK_STATES) totals[state] += row!.sums[state]!;
    return row!.last;
  });
  return totals;
}

async function stepsOf({ q, t: { steps } }: Reader, deadline: number): Promise<Totals["steps"]> {
  const none = { count: 0, oldestDueAt: null as number | null };
  const totals = { send: { ...none }, resend: { ...none }, check: { ...none }, preflight: { ...none } };
  const { id, action, dueAt } = steps;
  await inPortions(0, deadline, async (last) => {
    const part = q
      .select({ id, action, dueAt })
      .from(steps)
      .where(gt(id, last))
      .orderBy(asc(id))
      .limit(PORTION)
      .as("part");
    const rows = await q
      .select({ action: part.action, last: max(part.id), count: count(), oldest: min(part.dueAt) })
      .from(part)
      .groupBy(part.action);
    for (const row of rows) {
      const known = totals[row.action];
      known.count += row.count;
      known.oldestDueAt = Math.min(known.oldestDueAt ?? Number.POSITIVE_INFINITY, row.oldest!);
    }
    return rows.length === 0 ? null : Math.max(...rows.map((row) => row.last!));
  });
  return totals;
}

async function openOrdersOf({ q, t: { orders } }: Reader): Promise<number> {
  const [row] = await q.select({ count: count() }).from(orders).where(eq(orders.status, "pending"));
  return row!.count;
}

/** A provider that has a quota per host has rows of each, named `provider host`: hosts are no labels. */
async function providersOf({ q, t: { providerDays } }: Reader, deadline: number): Promise<Totals["providers"]> {
  const totals: Record<string, { calls: number; failures: number }> = {};
  const { name, day, calls, failures } = providerDays;
  await inPortions({ name: "", day: 0 }, deadline, async (after) => {
    const rows = await q
      .select({ name, day, calls, failures })
      .from(providerDays)
      .where(sql`(${name}, ${day}) > (${after.name}, ${after.day})`)
      .orderBy(asc(name), asc(day))
      .limit(PORTION / 4);
    for (const row of rows) {
      const provider = row.name.split(" ")[0]!;
      const known = totals[provider] ?? { calls: 0, failures: 0 };
      totals[provider] = { calls: known.calls + row.calls, failures: known.failures + row.failures };
    }
    return rows.at(-1) ?? null;
  });
  return totals;
}

/** Credits booked since the beginning, by kind of entry. @throws Error when the database does not answer, or takes too long */
export function readLedger(db: Engine): Promise<Readonly<Record<string, number>>> {
  const deadline = performance.now() + MOST_MS;
  return db.readCommitted(async ({ q, t: { ledger } }) => {
    const totals: Record<string, number> = { purchase: 0, spend: 0, return: 0, adjustment: 0 };
    const { accountId, no, kind, credits } = ledger;
    await inPortions({ accountId: "", no: 0 }, deadline, async (after) => {
      const isAfter = sql`(${accountId}, ${no}) > (${after.accountId}, ${after.no})`;
      const [end] = await q
        .select({ accountId, no })
        .from(ledger)
        .where(isAfter)
        .orderBy(asc(accountId), asc(no))
        .limit(1)
        .offset(PORTION - 1);
      // Up to where the portion ends by now: what is booked meanwhile is added once, or the next time.
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

/** Reads portion after portion; each says where the next one begins, the last one null. */
async function inPortions<K>(first: K, deadline: number, read: (after: K) => Promise<K | null>): Promise<void> {
  for (let after: K | null = first; after !== null; ) {
    if (performance.now() > deadline) throw new Error("the totals take too long");
    after = await read(after);
    // Lets whoever waits for this thread have it.
    await nextTurn();
  }
}

function total(column: Parameters<typeof sum>[0]): SQL<number> {
  return sql<number>`coalesce(${sum(column)}, 0)`.mapWith(Number);
}
