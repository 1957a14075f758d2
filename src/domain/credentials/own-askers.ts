import type { Tx } from "../../../db/engine.ts";
import { accessOfMaker } from "./access.ts";
import { requireRole } from "./may-act.ts";

/**
 * Asks whether a person may say yes to a call: owners say it to any, a manager to none of a credential of their own.
 * @param asker the id of the key or grant that asks
 * @throws Refusal insufficient_scope
 */
export async function requireMayApprove(
  tx: Tx,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
  asker: string,
): Promise<void> {
  const [asking, deciding] = [await accessOfMaker(tx, accountId, asker), await accessOfMaker(tx, accountId, personId)];
  requireRole(deciding!.role!, asking?.personId === personId ? "owners" : "approve");
}
