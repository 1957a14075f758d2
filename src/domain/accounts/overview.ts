import { and, eq, exists, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { dayOf } from "../limits/day.ts";
import { paidOrders } from "../payments/orders/orders.ts";
import { emailOfOwner } from "../people/owners.ts";

/**
 * The account, whether it has a paid order, and how much it submitted today (UTC). One query, because agents call get_account
 * often.
 * @param accountId from a credential, so it must exist @throws Error when it does not
 */
export async function accountOverview(db: Reader, accountId: string, now: number) {
  const query = db.prepared("account_overview", (one) => {
    const { accounts, usage } = one.t;
    return one.q
      .select({
        email: emailOfOwner(one),
        name: accounts.name,
        credits: accounts.credits,
        paid: sql<unknown>`${exists(paidOrders(one, accounts.id))}`,
        submissions: usage.submissions,
      })
      .from(accounts)
      .leftJoin(usage, and(eq(usage.accountId, accounts.id), eq(usage.day, sql.placeholder("day"))))
      .where(eq(accounts.id, sql.placeholder("accountId")));
  });
  const [row] = await query.execute({ accountId, day: dayOf(now) });
  if (!row) throw new Error(`account ${accountId} is gone`);
  const { email, name, credits, paid, submissions } = row;
  return { email, name, credits, paid: Boolean(paid), submissions: submissions ?? 0 };
}
