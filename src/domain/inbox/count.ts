import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Reader } from "../../../db/engine.ts";
import { allows } from "../../platform/roles.ts";
import {
  type InboxKind,
  type InboxOwner,
  type InboxTimes,
  isFailingConnection,
  isFailingWebhook,
  isHeldRun,
  isInInbox,
  isWaitingApproval,
  openResults,
} from "./waiting.ts";

/** How much of each kind is in an inbox. */
export interface InboxCounts extends Readonly<Record<InboxKind, number>> {
  /** Whether the balance is below the threshold of the account, and the reader may do something about it. */
  readonly lowCredits: boolean;
  readonly credits: number;
}

/** How many things wait for somebody, and the balance: one statement, which every page of the dashboard makes. */
export async function countInbox(db: Reader, owner: InboxOwner, times: InboxTimes): Promise<InboxCounts> {
  const { accounts, approvals, watches, connections, webhooks } = db.t;
  const count = (kind: InboxKind, table: SQLiteTable | typeof newest, where: SQL | undefined) =>
    isInInbox(owner, kind)
      ? sql`(${db.q
          .select({ n: sql`count(*)` })
          .from(table as typeof accounts)
          .where(where)})`.mapWith(Number)
      : sql`0`.mapWith(Number);
  const { newest, isThere } = openResults(db, owner, times);
  const [row] = await db.q
    .select({
      approvals: count("approvals", approvals, isWaitingApproval(db, owner, times)),
      runs: count("runs", watches, isHeldRun(db, owner)),
      connections: count("connections", connections, isFailingConnection(db, owner)),
      webhooks: count("webhooks", webhooks, isFailingWebhook(db, owner, times)),
      results: count("results", newest, isThere),
      credits: accounts.credits,
      threshold: accounts.lowCredits,
      entries: accounts.entries,
    })
    .from(accounts)
    .where(eq(accounts.id, owner.accountId));
  const { threshold, entries, ...counts } = row!;
  return { ...counts, lowCredits: entries > 0 && counts.credits < threshold && allows(owner.role, "purchase") };
}

/** All of it. */
export function sumOf({ approvals, runs, connections, webhooks, results, lowCredits }: InboxCounts): number {
  return approvals + runs + connections + webhooks + results + Number(lowCredits);
}
