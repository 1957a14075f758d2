import { inArray } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { NoticeKind } from "../mail/layout/notice-kinds.ts";
import type { Mailer } from "../mail/mailer.ts";
import { noticesOffOf } from "./settings.ts";

/** The services that notices need. */
export interface NoticeDeps {
  readonly mailer: Mailer;
  readonly siteUrl: string;
  /** Seals the addresses that switch notices off. */
  readonly secretBox: SecretBox;
}

/** An account that is told. */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly off: ReadonlySet<NoticeKind>;
}

/** The accounts that may be mailed: they are not deleted, and their address was confirmed. */
export async function recipientsOf(tx: Tx, accountIds: readonly string[]): Promise<Recipient[]> {
  if (accountIds.length === 0) return [];
  const { accounts } = tx.t;
  const rows = await tx.q
    .select()
    .from(accounts)
    .where(inArray(accounts.id, [...accountIds]));
  const recipients: Recipient[] = [];
  for (const { id, email, name, verifiedAt, deletedAt } of rows)
    if (verifiedAt !== null && deletedAt === null)
      recipients.push({ id, email, name, off: await noticesOffOf(tx, id) });
  return recipients;
}
