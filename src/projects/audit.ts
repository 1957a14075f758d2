import { asc, eq, gte, sql } from "drizzle-orm";
import type { Engine, Reader } from "../../db/engine.ts";
import { linkKey, placeOf } from "../ids.ts";
import { costOf } from "../payments/prices.ts";
import { unpackPlaces } from "../places.ts";
import type { ProjectRow } from "./read.ts";
import { CHECKING, FAILED, GOOGLE, INDEXED, LINK_STATES, NOT_INDEXED, WAITING } from "./states.ts";

export interface AuditReport {
  readonly ok: boolean;
  readonly accounts: number;
  readonly projects: number;
  readonly links: number;
  readonly entries: number;
  readonly steps: number;
  /** One sentence for each thing that is not as it must be. */
  readonly problems: readonly string[];
}

/**
 * Proves the books: balances are the sums of their ledgers, counts are those of the links, spent = kept +
 * returned, and every link that is not finally decided stands in exactly one step of its life. Reads one
 * snapshot.
 */
export async function audit(db: Engine): Promise<AuditReport> {
  // A write transaction that writes nothing: on both dialects nothing can change under it.
  return db.tx(async (tx) => {
    const problems: string[] = [];
    const entries = await auditLedgers(tx, problems);
    const projects = await tx.q.select().from(tx.t.projects).orderBy(asc(tx.t.projects.no));
    let links = 0;
    let steps = 0;
    for (const project of projects) {
      links += project.total;
      steps += await auditProject(tx, project, problems);
    }
    await auditStrays(tx, projects, problems);
    const accounts = await tx.q.select({ id: tx.t.accounts.id }).from(tx.t.accounts);
    const report = { accounts: accounts.length, projects: projects.length, links, entries, steps };
    return { ok: problems.length === 0, ...report, problems };
  });
}

async function auditLedgers(db: Reader, problems: string[]): Promise<number> {
  const { accounts, ledger, orders } = db.t;
  const sums = await db.q
    .select({
      accountId: ledger.accountId,
      entries: sql<number>`count(*)`.mapWith(Number),
      newest: sql<number>`max(${ledger.no})`.mapWith(Number),
      credits: sql<number>`sum(${ledger.credits})`.mapWith(Number),
    })
    .from(ledger)
    .groupBy(ledger.accountId);
  const byAccount = new Map(sums.map((sum) => [sum.accountId, sum]));
  for (const account of await db.q.select().from(accounts)) {
    const sum = byAccount.get(account.id) ?? { entries: 0, newest: 0, credits: 0 };
    byAccount.delete(account.id);
    expect(problems, `account ${account.id}: balance`, account.credits, sum.credits);
    expect(problems, `account ${account.id}: number of ledger entries`, account.entries, sum.entries);
    expect(problems, `account ${account.id}: number of the newest entry`, account.entries, sum.newest);
  }
  for (const id of byAccount.keys()) problems.push(`account ${id} has ledger entries and does not exist`);
  await auditChain(db, problems);

  const bought = await sumBy(db, "purchase", "orderId");
  for (const order of await db.q.select().from(orders).where(eq(orders.status, "paid"))) {
    expect(problems, `order ${order.id}: credits booked`, bought.get(order.id) ?? 0, order.credits);
  }
  return sums.reduce((total, sum) => total + sum.entries, 0);
}

/** Every entry's balance is the one before it plus its credits. */
async function auditChain(db: Reader, problems: string[]): Promise<void> {
  const { ledger } = db.t;
  const before = sql<number>`coalesce(lag(${ledger.balanceAfter}) over (partition by ${ledger.accountId} order by ${ledger.no}), 0)`;
  const chain = await db.q
    .select({
      accountId: ledger.accountId,
      no: ledger.no,
      credits: ledger.credits,
      after: ledger.balanceAfter,
      before: before.mapWith(Number),
    })
    .from(ledger);
  for (const { accountId, no, credits, after, before: was } of chain) {
    expect(problems, `account ${accountId}, entry ${no}: balance after`, after, was + credits);
  }
}

async function sumBy(db: Reader, kind: string, column: "orderId" | "projectId"): Promise<Map<string | null, number>> {
  const { ledger } = db.t;
  const rows = await db.q
    .select({ id: ledger[column], credits: sql<number>`sum(${ledger.credits})`.mapWith(Number) })
    .from(ledger)
    .where(eq(ledger.kind, kind))
    .groupBy(ledger[column]);
  return new Map(rows.map((row) => [row.id, row.credits]));
}

/** @returns open steps of the project */
async function auditProject(db: Reader, project: ProjectRow, problems: string[]): Promise<number> {
  const name = `project ${project.id}`;
  const states = await statesOf(db, project);
  const count = (state: number) => states.filter((one) => one === state).length;
  expect(problems, `${name}: links`, states.length, project.total);
  const counted = { waiting: WAITING, checking: CHECKING, indexed: INDEXED, notIndexed: NOT_INDEXED, failed: FAILED };
  for (const [column, state] of Object.entries(counted)) {
    expect(problems, `${name}: count of ${LINK_STATES[state]}`, project[column as keyof typeof counted], count(state));
  }
  await auditMoney(db, project, count, problems);
  return auditSteps(db, project, states, problems);
}

async function statesOf(db: Reader, project: ProjectRow): Promise<number[]> {
  const { links } = db.t;
  const from = linkKey(project.no, 0);
  const rows = await db.q
    .select({ id: links.id, state: links.state })
    .from(links)
    .where(sql`${gte(links.id, from)} AND ${links.id} < ${linkKey(project.no + 1, 0)}`)
    .orderBy(asc(links.id));
  return rows.filter((row, index) => placeOf(row.id) === index).map((row) => row.state);
}

async function auditMoney(db: Reader, project: ProjectRow, count: (state: number) => number, problems: string[]) {
  const name = `project ${project.id}`;
  const { ledger } = db.t;
  const rows = await db.q
    .select({ kind: ledger.kind, credits: sql<number>`sum(${ledger.credits})`.mapWith(Number) })
    .from(ledger)
    .where(sql`${eq(ledger.accountId, project.accountId)} AND ${eq(ledger.projectId, project.id)}`)
    .groupBy(ledger.kind);
  const booked = (kind: string) => rows.find((row) => row.kind === kind)?.credits ?? 0;
  expect(problems, `${name}: credits spent`, project.creditsSpent, -booked("spend"));
  expect(problems, `${name}: credits returned`, project.creditsReturned, booked("return"));
  if (project.kind === "index") {
    expect(problems, `${name}: price of its links`, project.creditsSpent, project.price * project.total);
    expect(
      problems,
      `${name}: returned for links`,
      project.creditsReturned,
      project.price * (count(NOT_INDEXED) + count(FAILED)),
    );
  } else {
    const kept =
      project.status === "completed" ? costOf("check", count(INDEXED) + count(NOT_INDEXED)) : project.creditsSpent;
    expect(problems, `${name}: kept for looked-up links`, project.creditsSpent - project.creditsReturned, kept);
  }
}

async function auditSteps(db: Reader, project: ProjectRow, states: number[], problems: string[]): Promise<number> {
  const name = `project ${project.id}`;
  const { steps } = db.t;
  const open = await db.q.select().from(steps).where(eq(steps.projectNo, project.no));
  const taken = new Set<string>();
  for (const step of open) {
    const places = unpackPlaces(step);
    expect(problems, `${name}: size of step ${step.id}`, step.size, places.length);
    for (const place of places) {
      const key = `${step.lane}/${place}`;
      if (taken.has(key)) problems.push(`${name}: link ${place} stands in two steps of lane ${step.lane}`);
      taken.add(key);
    }
  }
  states.forEach((state, place) => {
    const stands = taken.has(`${GOOGLE}/${place}`);
    if ((state === WAITING || state === CHECKING) && !stands) problems.push(`${name}: link ${place} stands in no step`);
    if ((state === NOT_INDEXED || state === FAILED) && stands)
      problems.push(`${name}: link ${place} is decided and queued`);
  });
  const lives = open.some((step) => step.lane === GOOGLE);
  expect(problems, `${name}: status`, project.status, lives ? "active" : "completed");
  return open.length;
}

async function auditStrays(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { links, steps } = db.t;
  const [stored] = await db.q.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(links);
  const known = projects.reduce((total, project) => total + project.total, 0);
  expect(problems, "links in the database", stored!.count, known);
  const numbers = new Set(projects.map((project) => project.no));
  for (const { no } of await db.q.selectDistinct({ no: steps.projectNo }).from(steps)) {
    if (!numbers.has(no)) problems.push(`steps of project number ${no}, which does not exist`);
  }
}

function expect(problems: string[], what: string, found: unknown, expected: unknown): void {
  if (found !== expected) problems.push(`${what} is ${found}, should be ${expected}`);
}
