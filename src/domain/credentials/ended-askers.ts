import type { Reader } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import { type ApprovalRow, statusOf } from "../spending/approvals.ts";
import { makerWhoMayAct } from "./may-act.ts";

const SPENDING: readonly Scope[] = ["index"];

/**
 * Approvals as they are now: one that is open or not used yet has ended where its key or grant may not spend any more, as after its last day.
 * No transaction notices that.
 */
export async function approvalsNow(db: Reader, rows: readonly ApprovalRow[], now: number): Promise<ApprovalRow[]> {
  const mayAct = new Map<string, boolean>();
  const current: ApprovalRow[] = [];
  for (const row of rows) {
    const { accountId, credential: maker } = row;
    const waits = ["open", "approved"].includes(statusOf(row, now));
    if (waits && !mayAct.has(maker))
      mayAct.set(maker, (await makerWhoMayAct(db, { accountId, maker }, { scopes: SPENDING, now })) !== null);
    current.push(waits && !mayAct.get(maker) ? { ...row, status: "ended" } : row);
  }
  return current;
}
