import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";

/**
 * Disables an account: it reads, and spends nothing until it is enabled (src/domain/ledger/disabled.ts). A second time replaces
 * the reason.
 * @param reason a sentence for the people of the account; null enables the account
 */
export async function setDisabled(
  tx: Tx,
  { accountId, reason, now }: { accountId: string; reason: string | null; now: number },
): Promise<void> {
  const { accounts } = tx.t;
  const disabledAt = reason === null ? null : now;
  await tx.q
    .update(accounts)
    .set({ disabledAt, disabledReason: reason })
    .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
    .returning({ id: accounts.id });
  const kind = reason === null ? "account_enabled" : "account_disabled";
  await recordSecurityEvent(tx, { accountId, kind, subject: reason ?? "", now });
}
