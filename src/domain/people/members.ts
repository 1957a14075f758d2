import { and, asc, desc, eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Role } from "../../platform/principal.ts";

/** A person in an account. */
export interface Member {
  readonly accountId: string;
  readonly personId: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: number;
}

interface NewMember extends Pick<Member, "accountId" | "personId" | "role"> {
  readonly now: number;
}

/** Makes a person a member, who works in this account from now on. @returns false when the person is one already */
export async function addMember(tx: Tx, { now, ...member }: NewMember): Promise<boolean> {
  const row = { ...member, joinedAt: now, chosenAt: now };
  return (await tx.q.insert(tx.t.members).values(row).onConflictDoNothing().returning()).length === 1;
}

function select({ q, t: { members, people } }: Pick<Reader, "q" | "t">) {
  const { accountId, personId, role, joinedAt } = members;
  return q
    .select({ accountId, personId, email: people.email, role, joinedAt })
    .from(members)
    .innerJoin(people, eq(people.id, personId));
}

/** The members of an account: who joined first comes first. */
export async function membersOf(db: Reader, accountId: string): Promise<Member[]> {
  const { members } = db.t;
  return (await select(db)
    .where(eq(members.accountId, accountId))
    .orderBy(asc(members.joinedAt), asc(members.personId))) as Member[];
}

export async function memberOf(
  db: Reader,
  { accountId, personId }: Pick<Member, "accountId" | "personId">,
): Promise<Member | null> {
  const { members } = db.t;
  const [row] = await select(db).where(and(eq(members.accountId, accountId), eq(members.personId, personId)));
  return (row as Member | undefined) ?? null;
}

/** The accounts of a person by id: the one that was chosen last comes first. */
export async function accountsOfPerson(db: Reader, personId: string): Promise<string[]> {
  const { members } = db.t;
  const rows = await db.q
    .select({ accountId: members.accountId })
    .from(members)
    .where(eq(members.personId, personId))
    .orderBy(desc(members.chosenAt), asc(members.joinedAt), asc(members.accountId));
  return rows.map(({ accountId }) => accountId);
}

/** @returns false when the person is no member */
export async function setRole(
  tx: Tx,
  { accountId, personId, role }: Pick<Member, "accountId" | "personId" | "role">,
): Promise<boolean> {
  const { members } = tx.t;
  const isIts = and(eq(members.accountId, accountId), eq(members.personId, personId));
  return (await tx.q.update(members).set({ role }).where(isIts).returning()).length === 1;
}

/** An account that a person may choose. */
export interface OwnAccount {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
}

/** The accounts of a person, by name. */
export async function ownAccounts(db: Reader, personId: string): Promise<OwnAccount[]> {
  const { members, accounts } = db.t;
  return (await db.q
    .select({ accountId: accounts.id, name: accounts.name, role: members.role })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.personId, personId))
    .orderBy(asc(accounts.name), asc(accounts.id))) as OwnAccount[];
}
