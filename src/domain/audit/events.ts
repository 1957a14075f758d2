import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { EventData } from "../events/types.ts";
import type { OrderRow } from "../payments/orders/orders.ts";
import type { ProjectRow } from "../projects/read.ts";
import { expect } from "./expect.ts";
import { returnedForSkipped } from "./projects.ts";

/** What the events of a project say together. */
interface Told {
  readonly indexed: number;
  readonly notIndexed: number;
  readonly failed: number;
  readonly returned: number;
  readonly completions: number;
}

const NOTHING: Told = { indexed: 0, notIndexed: 0, failed: 0, returned: 0, completions: 0 };

/**
 * Events and books say the same. The events of an account are numbered without gaps up to the account's count. The events of a
 * project say the same settled links and returned credits as the project, and its completion once. The events of an order say
 * its payment once, and the credits that were taken back. Projects and orders that were paid before the oldest event that is
 * kept are left out.
 */
export async function auditEvents(
  db: Reader,
  { projects, orders }: { readonly projects: readonly ProjectRow[]; readonly orders: readonly OrderRow[] },
  problems: string[],
): Promise<void> {
  const oldest = await auditNumbers(db, problems);
  await auditProjects(db, projects, oldest, problems);
  await auditOrders(db, orders, oldest, problems);
}

/** Real time of the oldest event of each account that has one. */
type OldestEvents = ReadonlyMap<string, number>;

async function auditProjects(
  db: Reader,
  projects: readonly ProjectRow[],
  oldest: OldestEvents,
  problems: string[],
): Promise<void> {
  const told = await readTold(db);
  const paid = await readPaid(db);
  for (const project of projects) {
    const { id, accountId, status, kind, creditsReturned } = project;
    const { indexed, notIndexed, failed, returned, completions } = told.get(id) ?? NOTHING;
    const first = oldest.get(accountId);
    if (first === undefined || (paid.get(id) ?? 0) < first) continue;
    const name = `project ${id}, its events`;
    expect(problems, `${name}: not indexed`, notIndexed, project.notIndexed);
    expect(problems, `${name}: failed`, failed, project.failed);
    // A link that was indexed and dropped is in two events.
    if (indexed < project.indexed)
      problems.push(`${name}: ${indexed} of ${project.indexed} indexed links were told of`);
    // Credits that come back at completion are in the event of the completion.
    const forLinks = creditsReturned - returnedForSkipped(project);
    if (kind === "index") expect(problems, `${name}: credits returned`, returned, forLinks);
    expect(problems, `${name}: completions`, completions, status === "completed" ? 1 : 0);
  }
}

async function auditOrders(
  { q, t: { events } }: Reader,
  orders: readonly OrderRow[],
  oldest: OldestEvents,
  problems: string[],
): Promise<void> {
  const payments = new Map<string, number>();
  const takenBack = new Map<string, number>();
  const rows = await q
    .select({ type: events.type, data: events.data })
    .from(events)
    .where(inArray(events.type, ["order.paid", "order.refunded"]));
  for (const { type, data } of rows) {
    const { order_id: id, credits_taken_back: credits = 0 } = JSON.parse(data) as Partial<EventData["order.refunded"]>;
    if (type === "order.paid") payments.set(id!, (payments.get(id!) ?? 0) + 1);
    else takenBack.set(id!, Math.max(takenBack.get(id!) ?? 0, credits));
  }
  for (const { id, accountId, paidAt, takenBack: taken } of orders) {
    const first = oldest.get(accountId);
    if (first === undefined || (paidAt !== null && paidAt < first)) continue;
    expect(problems, `order ${id}, its events: payments`, payments.get(id) ?? 0, paidAt === null ? 0 : 1);
    const told = takenBack.get(id) ?? 0;
    // Events also tell of credits that were taken back and given again.
    if (told < taken) problems.push(`order ${id}, its events: ${told} of ${taken} credits taken back were told of`);
  }
}

async function auditNumbers({ q, t: { accounts, events } }: Reader, problems: string[]): Promise<OldestEvents> {
  const rows = await q
    .select({
      accountId: events.accountId,
      newest: accounts.events,
      first: sql<number>`min(${events.no})`.mapWith(Number),
      last: sql<number>`max(${events.no})`.mapWith(Number),
      count: sql<number>`count(*)`.mapWith(Number),
      oldestAt: sql<number>`min(${events.at})`.mapWith(Number),
    })
    .from(events)
    .innerJoin(accounts, and(eq(accounts.id, events.accountId), isNull(accounts.deletedAt)))
    .groupBy(events.accountId, accounts.events);
  for (const { accountId, newest, first, last, count } of rows) {
    expect(problems, `account ${accountId}: number of its newest event`, newest, last);
    expect(problems, `account ${accountId}: events from ${first} to ${last}`, count, last - first + 1);
  }
  return new Map(rows.map(({ accountId, oldestAt }) => [accountId, oldestAt]));
}

/** Events that are read at once. */
const BATCH = 1_000;

async function readTold({ q, t: { events } }: Reader): Promise<Map<string, Told>> {
  const told = new Map<string, Told>();
  for (let after = { accountId: "", no: 0 }; ; ) {
    const isAfter = or(
      gt(events.accountId, after.accountId),
      and(eq(events.accountId, after.accountId), gt(events.no, after.no)),
    );
    const rows = await q
      .select()
      .from(events)
      .where(and(isAfter, inArray(events.type, ["links.settled", "project.completed"])))
      .orderBy(asc(events.accountId), asc(events.no))
      .limit(BATCH);
    for (const { type, projectId, data } of rows) {
      const before = told.get(projectId!) ?? NOTHING;
      const isCompletion = type === "project.completed";
      told.set(projectId!, isCompletion ? { ...before, completions: before.completions + 1 } : plus(before, data));
    }
    if (rows.length < BATCH) return told;
    after = rows.at(-1)!;
  }
}

function plus(before: Told, text: string): Told {
  const { counts, credits_returned: returned }: EventData["links.settled"] = JSON.parse(text);
  const { indexed, not_indexed: notIndexed, failed } = counts;
  return {
    indexed: before.indexed + indexed,
    notIndexed: before.notIndexed + notIndexed,
    failed: before.failed + failed,
    returned: before.returned + returned,
    completions: before.completions,
  };
}

/** Real time at which each project was paid. */
async function readPaid({ q, t: { ledger } }: Reader): Promise<Map<string, number>> {
  const rows = await q
    .select({ projectId: ledger.projectId, at: sql<number>`min(${ledger.at})`.mapWith(Number) })
    .from(ledger)
    .where(eq(ledger.kind, "spend"))
    .groupBy(ledger.projectId);
  return new Map(rows.map(({ projectId, at }) => [projectId!, at]));
}
