import { asc } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { isLiveOrder } from "../payments/find-method.ts";
import type { OrderRow } from "../payments/orders/orders.ts";
import { auditBingChecks } from "./bing-checks.ts";
import { auditBudgets } from "./budgets.ts";
import { auditDirect } from "./direct.ts";
import { auditEvents } from "./events.ts";
import { auditExperiments } from "./experiments.ts";
import { auditLedgers, readEntries } from "./ledgers.ts";
import { auditMembers } from "./members.ts";
import { readMoney } from "./money.ts";
import { auditOrders } from "./orders.ts";
import { auditOrphans, auditProject } from "./projects.ts";
import { auditShares } from "./shares.ts";
import { auditSubscriptions } from "./subscriptions.ts";
import { auditTags } from "./tags.ts";
import { auditWatches } from "./watches.ts";

export interface AuditReport {
  readonly ok: boolean;
  readonly accounts: number;
  readonly projects: number;
  readonly links: number;
  readonly entries: number;
  readonly steps: number;
  readonly orders: number;
  /** Direct payments that were presented, whatever became of them. */
  readonly directPayments: number;
  /** Credits given by all orders whose money ever came. */
  readonly creditsSold: number;
  /** The part of `creditsSold` that test payments bought, without real money. */
  readonly testCreditsSold: number;
  /** The part of `creditsSold` that refunds, disputes and vanished payments have taken back. */
  readonly creditsTakenBack: number;
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[];
}

/**
 * Checks the books: balances are the sums of their ledgers, every order has booked what its money says and no more, every
 * direct payment is one order, counts agree with the links, spent = kept + returned, every link that is not finally decided is
 * in exactly one step of its lane, held pages were not sent, events, budgets and watches say the same as the books, and nobody is subscribed who may not be. Reads one
 * snapshot.
 */
export async function audit(db: Pick<Engine, "snapshot">): Promise<AuditReport> {
  return db.snapshot(async (tx) => {
    const problems: string[] = [];
    const accounts = await tx.q.select().from(tx.t.accounts);
    const entries = await readEntries(tx);
    auditLedgers(accounts, entries, problems);
    const orders = await tx.q.select().from(tx.t.orders);
    const journal = await tx.q.select().from(tx.t.directPayments);
    const moneyOf = await readMoney(tx, orders, journal, problems);
    auditOrders(orders, entries, accounts, moneyOf, problems);
    auditDirect(journal, orders, problems);
    const projects = await tx.q.select().from(tx.t.projects).orderBy(asc(tx.t.projects.no));
    let links = 0;
    let steps = 0;
    for (const project of projects) {
      links += project.total;
      steps += await auditProject(tx, project, problems);
    }
    await auditTags(tx, projects, problems);
    await auditShares(tx, projects, problems);
    await auditSubscriptions(tx, problems);
    await auditMembers(tx, problems);
    await auditOrphans(tx, projects, problems);
    await auditBingChecks(tx, projects, problems);
    await auditExperiments(tx, projects, problems);
    await auditEvents(tx, { projects, orders }, problems);
    await auditBudgets(tx, problems);
    await auditWatches(tx, projects, problems);
    const paid = orders.filter((order) => order.paidAt !== null);
    return {
      ok: problems.length === 0,
      accounts: accounts.length,
      entries: entries.length,
      projects: projects.length,
      links,
      steps,
      orders: orders.length,
      directPayments: journal.length,
      creditsSold: creditsOf(paid),
      testCreditsSold: creditsOf(paid.filter((order) => !isLiveOrder(order))),
      creditsTakenBack: paid.reduce((total, { takenBack }) => total + takenBack, 0),
      problems,
    };
  });
}

function creditsOf(orders: readonly OrderRow[]): number {
  return orders.reduce((total, { credits }) => total + credits, 0);
}
