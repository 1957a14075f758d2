import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { pauseAll, resumeAll } from "../watches/pause.ts";

/**
 * Disables an account: it reads, and spends nothing until it is enabled (src/domain/credentials/may-act.ts). Its watches pause for as
 * long. A second time replaces the reason.
 * @param reason a sentence for the people of the account; null enables the account
 */
export async function setDisabled(
  tx: Tx,
  { accountId, reason, times: { now, service } }: { accountId: string; reason: string | null; times: Times },
): Promise<void> {
  const { accounts } = tx.t;
  const disabledAt = reason === null ? null : now;
  await tx.q
    .update(accounts)
    .set({ disabledAt, disabledReason: reason })
    .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
    .returning({ id: accounts.id });
  if (reason === null) await resumeAll(tx, accountId, "account_disabled", service);
  else await pauseAll(tx, accountId, "account_disabled", now);
  const kind = reason === null ? "account_enabled" : "account_disabled";
  await recordSecurityEvent(tx, { accountId, kind, subject: reason ?? "", now });
}
