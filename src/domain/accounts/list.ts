import { and, desc, getTableColumns, isNotNull, isNull } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { emailOfOwner } from "../people/owners.ts";

/** Accounts that are not deleted, newest first, and whether there are more. */
export async function accountsOf(db: Reader, { isDisabled, limit }: { isDisabled: boolean; limit: number }) {
  const { accounts } = db.t;
  const rows = await db.q
    .select({ ...getTableColumns(accounts), email: emailOfOwner(db) })
    .from(accounts)
    .where(and(isNull(accounts.deletedAt), isDisabled ? isNotNull(accounts.disabledAt) : undefined))
    .orderBy(desc(accounts.createdAt), desc(accounts.id))
    .limit(limit + 1);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
