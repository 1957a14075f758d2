import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { bucketOf, newId } from "../../platform/ids.ts";
import { addressKeptUntil } from "../people/address-undos.ts";
import { normaliseEmail } from "../people/email.ts";
import { addMember } from "../people/members.ts";
import { emailOfOwner } from "../people/owners.ts";
import { createPerson, personByEmail } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";

export interface NewAccount {
  /** The address of its first owner, who is made with it. */
  readonly email: string;
  readonly name?: string;
  /** Without one, the owner does not sign in by password. */
  readonly passwordHash?: string;
  /** When a mailed link verified the address. */
  readonly verifiedAt?: number;
  readonly now: number;
}

/**
 * Creates an account and its first owner.
 * @throws Error when the e-mail address is invalid, is somebody's already, or is kept for a person who had it before
 */
export async function createAccount(tx: Tx, account: NewAccount) {
  const { email, name, passwordHash = null, verifiedAt = null, now } = account;
  const id = newId("acc");
  const address = normaliseEmail(email);
  if (address === null) throw new Error("This is not an e-mail address.");
  if ((await addressKeptUntil(tx, address, { now })) !== null)
    throw new Error(`${address} belonged to another account, which can still take it back.`);
  const owner = await createPerson(tx, { email: address, passwordHash, verifiedAt, now });
  const row = {
    id,
    bucket: bucketOf(id),
    name: name ?? address.split("@")[0]!,
    credits: 0,
    entries: 0,
    createdAt: now,
  };
  const [created] = await tx.q.insert(tx.t.accounts).values(row).returning();
  await addMember(tx, { accountId: id, personId: owner.id, role: "owner", now });
  return { ...created!, email: address, ownerId: owner.id };
}

/** The account with an id that comes from a credential or a project, and so must exist. @throws Error when it does not */
export async function accountById(db: Reader, id: string): Promise<Account> {
  const account = await findAccount(db, id);
  if (!account) throw new Error(`account ${id} is gone`);
  return account;
}

export type Account = Reader["t"]["accounts"]["$inferSelect"] & {
  /** The address of its oldest owner; "" for a tombstone. */
  readonly email: string;
};

export async function findAccount(db: Reader, id: string): Promise<Account | null> {
  const query = db.prepared("account", (one) => {
    const { accounts } = one.t;
    return one.q
      .select({ ...getTableColumns(accounts), email: emailOfOwner(one) })
      .from(accounts)
      .where(eq(accounts.id, sql.placeholder("id")));
  });
  const [row] = await query.execute({ id });
  return row ?? null;
}

/** The oldest account that the person with an address owns; null where there is none. */
export async function accountByEmail(db: Reader, email: string): Promise<Account | null> {
  const person = await personByEmail(db, email);
  if (!person) return null;
  const { members } = db.t;
  const [owned] = await db.q
    .select({ accountId: members.accountId })
    .from(members)
    .where(and(eq(members.personId, person.id), eq(members.role, "owner")))
    .orderBy(asc(members.joinedAt), asc(members.accountId))
    .limit(1);
  return owned ? findAccount(db, owned.accountId) : null;
}

/** Code points of the longest name that users can give their account. */
export const ACCOUNT_NAME_LENGTH = 80;

/** Gives an account another name, and writes so to its log. */
export async function renameAccount(
  tx: Tx,
  { name, now, ...by }: { accountId: string; personId: string; name: string; ip: string; now: number },
): Promise<void> {
  const { accountId } = by;
  const { accounts } = tx.t;
  await tx.q.update(accounts).set({ name }).where(eq(accounts.id, accountId)).returning({ id: accounts.id });
  await recordSecurityEvent(tx, { ...by, kind: "account_renamed", subject: name, now });
}
