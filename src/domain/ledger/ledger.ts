import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { placeholders } from "../../../db/placeholders.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { recordEvents } from "../events/record.ts";
import { refuseDisabled } from "./disabled.ts";

export type EntryKind = "purchase" | "spend" | "return" | "adjustment";

export interface Posting {
  readonly accountId: string;
  readonly kind: EntryKind;
  /** Signed; never 0. */
  readonly credits: number;
  /** Names the cause of the entry, unique per account and kind, so that a cause is never booked twice. */
  readonly source: string;
  readonly description: string;
  readonly projectId?: string;
  readonly orderId?: string;
  /** Who it comes from: the id of a credential, PERSON or OPERATOR (src/platform/principal.ts). */
  readonly credential?: string | null;
  /** The person for whom that acts. */
  readonly personId?: string | null;
  /** Credits that the same transaction spends after this entry: the balance has to cover them, too. */
  readonly besides?: number;
  /** Real time. */
  readonly now: number;
}

/**
 * Books one entry and changes the balance by it; nothing else writes either. A spend that the balance does not cover is
 * refused, and every spend of a disabled account; an entry of any other kind may take the balance below zero. What a deleted account would get, as for a payment
 * that comes late, is booked, and booked to zero at once. A balance that falls below the account's threshold is an event.
 *
 * @returns the balance after the entry
 * @throws Refusal insufficient_credits, spending_limit; nothing is changed then
 */
export async function post(tx: Tx, posting: Posting): Promise<number> {
  const { accountId, kind, credits, source, description, now: at } = posting;
  const { projectId = null, orderId = null, credential = null, personId = null, besides = 0 } = posting;
  const balance = kind === "spend" ? coveredBalance(tx) : anyBalance(tx);
  const [account] = await balance.execute({ accountId, credits, besides });
  if (!account) throw await notSpent(tx, accountId, besides - credits);
  const { no, balanceAfter, lowCredits, deletedAt } = account;
  const of = { projectId, orderId, credential, personId };
  const row = { accountId, no, at, kind, credits, balanceAfter, ...of, source, description };
  await entry(tx).execute(row);
  if (balanceAfter < lowCredits && balanceAfter - credits >= lowCredits) {
    const data = { balance: balanceAfter, threshold: lowCredits };
    await recordEvents(tx, accountId, [{ type: "credits.low", data }], at);
  }
  if (deletedAt === null || balanceAfter <= 0) return balanceAfter;
  const forfeit = { source: `not_given:${no}`, description: "Not given: the account was deleted" };
  return post(tx, { accountId, kind: "adjustment", credits: -balanceAfter, ...forfeit, now: at });
}

const anyBalance = (tx: Tx) => tx.prepared("move_balance", (db) => movedBalance(db));
const coveredBalance = (tx: Tx) =>
  tx.prepared("spend_balance", (db) =>
    movedBalance(db, (after) => sql`${after} >= ${sql.placeholder("besides")} AND ${db.t.accounts.disabledAt} IS NULL`),
  );

function movedBalance({ q, t: { accounts } }: Pick<Tx, "q" | "t">, isCovered?: (after: SQL) => SQL) {
  const after = sql`${accounts.credits} + ${sql.placeholder("credits")}`;
  return q
    .update(accounts)
    .set({ credits: after, entries: sql`${accounts.entries} + 1` })
    .where(and(eq(accounts.id, sql.placeholder("accountId")), isCovered?.(after)))
    .returning({
      balanceAfter: accounts.credits,
      no: accounts.entries,
      lowCredits: accounts.lowCredits,
      deletedAt: accounts.deletedAt,
    });
}

const entry = (tx: Tx) =>
  tx.prepared("insert_entry", ({ q, t: { ledger } }) =>
    q.insert(ledger).values(placeholders(ledger)).returning({ no: ledger.no }),
  );

async function notSpent(tx: Tx, accountId: string, needed: number): Promise<Refusal> {
  await refuseDisabled(tx, accountId, needed);
  const balance = await balanceOf(tx, accountId);
  return new Refusal(
    "insufficient_credits",
    `Needs ${credits(needed)}, the balance is ${balance}. Nothing was spent. Get more credits, or send fewer URLs.`,
    { needed, balance },
  );
}

function credits(count: number): string {
  return `${count} credit${count === 1 ? "" : "s"}`;
}

export async function balanceOf(db: Reader, accountId: string): Promise<number> {
  const { accounts } = db.t;
  const [row] = await db.q.select({ credits: accounts.credits }).from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw new Error(`account ${accountId} is gone`);
  return row.credits;
}

/** A page of the ledger, newest first, and whether there is more. @param page of entries of some credentials; null: of any */
export async function entriesOf(
  db: Reader,
  accountId: string,
  { credentials = null, ...page }: { limit: number; offset: number; credentials?: readonly string[] | null },
) {
  const { ledger } = db.t;
  const isTheirs = credentials === null ? undefined : inArray(ledger.credential, [...credentials]);
  const rows = await db.q
    .select()
    .from(ledger)
    .where(and(eq(ledger.accountId, accountId), isTheirs))
    .orderBy(desc(ledger.no))
    .limit(page.limit + 1)
    .offset(page.offset);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}
