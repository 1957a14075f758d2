import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { pauseAll, resumeAll } from "../watches/pause.ts";

/**
 * Disables an account: it reads, and spends nothing until it is enabled (src/domain/credentials/may-act.ts). Its watches pause for as
 * long. A second time replaces the reason.
 * @param reason a sentence for the people of the account; null enables the account
 * @returns whether anything has changed: an account that is not disabled cannot be enabled
 */
export async function setDisabled(
  tx: Tx,
  { accountId, reason, times: { now, service } }: { accountId: string; reason: string | null; times: Times },
): Promise<boolean> {
  const { accounts } = tx.t;
  const { id, disabledAt, deletedAt } = accounts;
  const isIts = and(eq(id, accountId), isNull(deletedAt));
  const [changed] = await tx.q
    .update(accounts)
    .set({ disabledAt: reason === null ? null : sql`coalesce(${disabledAt}, ${now})`, disabledReason: reason })
    .where(reason === null ? and(isIts, isNotNull(disabledAt)) : isIts)
    .returning({ id });
  if (!changed) return false;
  if (reason === null) await resumeAll(tx, accountId, "account_disabled", service);
  else await pauseAll(tx, accountId, "account_disabled", now);
  const kind = reason === null ? "account_enabled" : "account_disabled";
  await recordSecurityEvent(tx, { accountId, kind, subject: reason ?? "", now });
  return true;
}
