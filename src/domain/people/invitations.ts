import { and, asc, eq, gt, inArray, lte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import type { Role } from "../../platform/principal.ts";
import { addMember } from "./members.ts";

/** How long an invitation can be accepted, in ms. */
export const INVITATION_LIFETIME = 7 * DAY;

/** An invitation that can still be accepted. */
export interface Invitation {
  readonly id: string;
  readonly accountId: string;
  /** The address that it was mailed to. A person with another one cannot accept it. */
  readonly email: string;
  readonly role: Role;
  /** Who invites. */
  readonly personId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

interface NewInvitation extends Pick<Invitation, "accountId" | "email" | "role" | "personId"> {
  readonly now: number;
}

/** Invites an address. An invitation to the same account that it had before is replaced. */
export async function createInvitation(tx: Tx, { now, ...invited }: NewInvitation): Promise<void> {
  const { invitations } = tx.t;
  const row = { ...invited, id: newId("inv"), createdAt: now, expiresAt: now + INVITATION_LIFETIME };
  const target = [invitations.accountId, invitations.email];
  await tx.q.insert(invitations).values(row).onConflictDoUpdate({ target, set: row });
}

/** The invitations of an account, the oldest first. */
export function invitationsOf(db: Reader, accountId: string, now: number): Promise<Invitation[]> {
  return open(db, eq(db.t.invitations.accountId, accountId), now);
}

/** The invitations to an address, the oldest first. */
export function invitationsTo(db: Reader, email: string, now: number): Promise<Invitation[]> {
  return open(db, eq(db.t.invitations.email, email), now);
}

async function open(db: Reader, isMeant: ReturnType<typeof eq>, now: number): Promise<Invitation[]> {
  const { invitations } = db.t;
  const isOpen = and(isMeant, gt(invitations.expiresAt, now));
  const rows = await db.q
    .select()
    .from(invitations)
    .where(isOpen)
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
  return rows as Invitation[];
}

/** Uses an invitation up: of several that try at the same time, one does. @returns null when it is gone, or is another address's */
export async function acceptInvitation(
  tx: Tx,
  { id, email, personId, now }: { id: string; email: string; personId: string; now: number },
): Promise<Invitation | null> {
  const { invitations } = tx.t;
  const isIts = and(eq(invitations.id, id), eq(invitations.email, email), gt(invitations.expiresAt, now));
  const [taken] = (await tx.q.delete(invitations).where(isIts).returning()) as Invitation[];
  if (!taken) return null;
  await addMember(tx, { accountId: taken.accountId, personId, role: taken.role, now });
  return taken;
}

/** Takes an invitation back. @returns null when the account has no such one */
export async function revokeInvitation(tx: Tx, accountId: string, id: string): Promise<Invitation | null> {
  const { invitations } = tx.t;
  const isIts = and(eq(invitations.id, id), eq(invitations.accountId, accountId));
  const [taken] = (await tx.q.delete(invitations).where(isIts).returning()) as Invitation[];
  return taken ?? null;
}

/** Ends the invitations to an account that a person has made. */
export async function endInvitationsBy(
  tx: Tx,
  { accountId, personId }: Pick<Invitation, "accountId" | "personId">,
): Promise<void> {
  const { invitations } = tx.t;
  const isIts = and(eq(invitations.accountId, accountId), eq(invitations.personId, personId));
  await tx.q.delete(invitations).where(isIts);
}

/** Deletes expired invitations. @returns how many, at most `most` */
export async function purgeInvitations(tx: Tx, now: number, most: number): Promise<number> {
  const { invitations } = tx.t;
  const { id } = invitations;
  const expired = tx.q.select({ id }).from(invitations).where(lte(invitations.expiresAt, now)).limit(most);
  return (await tx.q.delete(invitations).where(inArray(id, expired)).returning({ id })).length;
}
