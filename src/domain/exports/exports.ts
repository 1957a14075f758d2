import { and, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import { consumeLimitIn } from "../limits/window.ts";

/** How long a file is kept, in ms. */
export const EXPORT_KEPT = 7 * DAY;

/** Attempts that may fail before an export is given up. */
export const MAX_FAILURES = 5;

export type ExportRow = Reader["t"]["exports"]["$inferSelect"];

/** The newest export of an account; null when there is none, or its file has expired. @param personId only one that this person has requested: it holds how the person signs in */
export async function exportOf(
  db: Reader,
  accountId: string,
  now: number,
  personId?: string,
): Promise<ExportRow | null> {
  const { exports } = db.t;
  const [row] = await db.q.select().from(exports).where(eq(exports.accountId, accountId));
  if (!row || (personId !== undefined && row.personId !== personId)) return null;
  return row.expiresAt === null || row.expiresAt > now ? row : null;
}

/** How far an export is. */
export function progressOf({ completedAt, failures }: ExportRow): "making" | "ready" | "failed" {
  if (completedAt !== null) return "ready";
  return failures >= MAX_FAILURES ? "failed" : "making";
}

/**
 * Requests an export of everything. One that is being made is the answer to all requests of its person meanwhile; any other is
 * replaced.
 * @throws Refusal rate_limited after too many in a day
 */
export async function requestExport(
  tx: Tx,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
  now: number,
): Promise<ExportRow> {
  const current = await exportOf(tx, accountId, now, personId);
  if (current && progressOf(current) === "making") return current;
  await consumeLimitIn(tx, accountId, "exports", now);
  const row: ExportRow = {
    ...{ accountId, personId, id: newId("exp"), requestedAt: now, lease: null, leaseUntil: null, failures: 0 },
    ...{ rowsDone: 0, rowsTotal: await estimateRows(tx, accountId) },
    ...{ completedAt: null, expiresAt: null, bytes: null },
  };
  const { exports } = tx.t;
  await tx.q.insert(exports).values(row).onConflictDoUpdate({ target: exports.accountId, set: row });
  return row;
}

/** Ends the export that a person has requested who leaves the account. What is made of it is deleted with the next one, or every hour. */
export async function endExportsOf(
  tx: Tx,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
): Promise<void> {
  const { exports } = tx.t;
  await tx.q.delete(exports).where(and(eq(exports.accountId, accountId), eq(exports.personId, personId)));
}

/** About how many rows the files will have: the links and the ledger make up nearly all, and each is in two files. */
async function estimateRows(db: Reader, accountId: string): Promise<number> {
  const { accounts, projects } = db.t;
  const [account] = await db.q.select({ entries: accounts.entries }).from(accounts).where(eq(accounts.id, accountId));
  const [sum] = await db.q
    .select({ links: sql<unknown>`coalesce(sum(${projects.total}), 0)` })
    .from(projects)
    .where(eq(projects.accountId, accountId));
  return 2 * (Number(account?.entries ?? 0) + Number(sum?.links ?? 0));
}

/** Deletes the exports whose files have expired; their pieces follow (file.ts). */
export async function deleteExpired(tx: Tx, now: number): Promise<void> {
  const { exports } = tx.t;
  await tx.q.delete(exports).where(and(isNotNull(exports.expiresAt), lte(exports.expiresAt, now)));
}
