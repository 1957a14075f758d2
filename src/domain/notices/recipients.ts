import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
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

/** The accounts that may be mailed: the address of an owner was confirmed. The oldest such owner is told. */
export async function recipientsOf(tx: Tx, accountIds: readonly string[]): Promise<Recipient[]> {
  if (accountIds.length === 0) return [];
  const { accounts, members, people } = tx.t;
  const rows = await tx.q
    .select({ id: accounts.id, email: people.email, name: accounts.name })
    .from(accounts)
    .innerJoin(members, and(eq(members.accountId, accounts.id), eq(members.role, "owner")))
    .innerJoin(people, and(eq(people.id, members.personId), isNotNull(people.verifiedAt)))
    .where(inArray(accounts.id, [...accountIds]))
    .orderBy(asc(members.joinedAt), asc(members.personId));
  const recipients = new Map<string, Recipient>();
  for (const row of rows)
    if (!recipients.has(row.id)) recipients.set(row.id, { ...row, off: await noticesOffOf(tx, row.id) });
  return [...recipients.values()];
}
