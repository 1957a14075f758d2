import type { Reader } from "../../../db/engine.ts";
import { type ApprovalRow, statusOf } from "../spending/approvals.ts";
import { principalById } from "./identify.ts";

/**
 * Approvals as they are now: one that is open or not used yet has ended where its key or grant has, by the passing of its last day.
 * No transaction notices that.
 */
export async function approvalsNow(db: Reader, rows: readonly ApprovalRow[], now: number): Promise<ApprovalRow[]> {
  const isAlive = new Map<string, boolean>();
  const current: ApprovalRow[] = [];
  for (const row of rows) {
    const { accountId, credential: id } = row;
    const waits = ["open", "approved"].includes(statusOf(row, now));
    if (waits && !isAlive.has(id)) isAlive.set(id, (await principalById(db, { accountId, id }, now)) !== null);
    current.push(waits && !isAlive.get(id) ? { ...row, status: "ended" } : row);
  }
  return current;
}
