import { and, eq, notInArray } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Role } from "../../platform/principal.ts";
import { hasRight } from "../../platform/roles.ts";
import { endConnectionsOf } from "../connections/end.ts";
import { endItsWork } from "../credentials/ended-credential.ts";
import { requireRole } from "../credentials/may-act.ts";
import { newSecret } from "../credentials/secrets.ts";
import { recordEvents } from "../events/record.ts";
import { endExportsOf } from "../exports/exports.ts";
import { consumeLimitIn } from "../limits/window.ts";
import { invited } from "../mail/templates/invited.ts";
import { memberRemoved } from "../mail/templates/member-removed.ts";
import { voidCodes } from "../oauth/codes.ts";
import { deletePerson } from "../people/delete-person.ts";
import { normaliseEmail } from "../people/email.ts";
import {
  acceptInvitation,
  createInvitation,
  endInvitationsBy,
  invitationsTo,
  revokeInvitation,
} from "../people/invitations.ts";
import { accountsOfPerson, type Member, memberOf, membersOf, setRole } from "../people/members.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { endApprovalsBy } from "../spending/approvals.ts";
import type { SpendingLimits } from "../spending/limits.ts";
import { limitByRole, setMemberLimits } from "./member-budgets.ts";
import { revokeCredentials } from "./revoke-access.ts";
import type { Session } from "./sessions.ts";
import { invalidEmail } from "./sign-up.ts";
import type { UserServices } from "./users.ts";

/** A member who changes who the members are, in a transaction that has asked for the right `people`. */
interface By {
  readonly session: Session;
  readonly ip: string;
  readonly now: number;
}

type MailServices = Pick<UserServices, "mailer" | "siteUrl">;

/** Invites an address. @throws Refusal invalid_request, insufficient_scope, rate_limited */
export async function inviteMember(
  tx: Tx,
  { mailer, siteUrl }: MailServices,
  { email: typed, role, session, ip, now }: By & { email: string; role: Role },
): Promise<void> {
  const { accountId, personId } = session;
  const email = normaliseEmail(typed);
  if (email === null) throw invalidEmail();
  requireManager(await lockMembers(tx, session), [role]);
  if ((await membersOf(tx, accountId)).some((member) => member.email === email))
    throw refused("This person is a member of the account already.");
  await consumeLimitIn(tx, accountId, "invitations", now);
  await createInvitation(tx, { accountId, personId, email, role, now });
  await recordSecurityEvent(tx, { accountId, personId, kind: "member_invited", subject: role, target: email, ip, now });
  await mailer.queue(tx, invited(email, { by: session.email, role, link: `${siteUrl}/dashboard/accounts` }));
}

/** Takes an invitation back. @returns false when there is no such one, as when it was accepted */
export async function uninvite(tx: Tx, { id, session, ip, now }: By & { id: string }): Promise<boolean> {
  const { accountId, personId } = session;
  const taken = await revokeInvitation(tx, accountId, id);
  if (!taken) return false;
  await recordSecurityEvent(tx, {
    accountId,
    personId,
    kind: "invitation_revoked",
    ...{ subject: taken.role, target: taken.email },
    ip,
    now,
  });
  return true;
}

/**
 * Makes who is signed in a member, and lets them work in the account.
 * @returns the new secret of the session; null when the invitation is gone, or another address's
 */
export async function joinAccount(tx: Tx, { id, session, ip, now }: By & { id: string }): Promise<string | null> {
  const { email, personId, verifiedAt } = session;
  if (verifiedAt === null) return null;
  const joined = await acceptInvitation(tx, { id, email, personId, now });
  if (!joined) return null;
  await recordJoined(tx, { accountId: joined.accountId, personId, role: joined.role, ip, now });
  return chooseAccount(tx, { ...session, chosen: joined.accountId, now });
}

/** Makes a person who has just signed up a member of all accounts that have invited the address. @returns whether any has */
export async function joinInvited(
  tx: Tx,
  { personId, email, ip, now }: { personId: string; email: string; ip: string; now: number },
): Promise<boolean> {
  let hasJoined = false;
  for (const { id, accountId, role } of await invitationsTo(tx, email, now)) {
    const joined = await acceptInvitation(tx, { id, email, personId, now });
    if (!joined) continue;
    hasJoined = true;
    await recordJoined(tx, { accountId, personId, role, ip, now });
  }
  return hasJoined;
}

async function recordJoined(
  tx: Tx,
  { role, ...rest }: { accountId: string; personId: string; role: Role; ip: string; now: number },
): Promise<void> {
  await limitByRole(tx, { ...rest, role });
  await recordSecurityEvent(tx, { ...rest, kind: "member_joined", subject: role, target: rest.personId });
  const data = { person_id: rest.personId, role };
  await recordEvents(tx, rest.accountId, [{ type: "member.joined", data }], rest.now);
}

/**
 * Lets the session work in another account of its person. It gets a new secret, so that a form of another tab, which shows the
 * earlier account, does nothing in this one.
 * @returns the secret for its cookie; null when the person is not a member of the account
 */
export async function chooseAccount(
  tx: Tx,
  { id, personId, chosen: accountId, now }: Pick<Session, "id" | "personId"> & { chosen: string; now: number },
): Promise<string | null> {
  const { members, sessions } = tx.t;
  const isIts = and(eq(members.accountId, accountId), eq(members.personId, personId));
  const chosen = await tx.q.update(members).set({ chosenAt: now }).where(isIts).returning();
  if (chosen.length === 0) return null;
  const { secret, hash } = newSecret("session");
  await tx.q.update(sessions).set({ accountId, hash }).where(eq(sessions.id, id));
  return secret;
}

/** Gives a member another role, which may not invite as the one before did: what is open of their invitations ends. @throws Refusal not_found, invalid_request, insufficient_scope */
export async function changeRole(
  tx: Tx,
  { personId, role, session, ip, now }: By & { personId: string; role: Role },
): Promise<void> {
  const { accountId } = session;
  const member = await memberToChange(tx, session, { personId, role });
  await setRole(tx, { accountId, personId, role });
  if (role !== member.role) await limitByRole(tx, { accountId, personId, role });
  if (!hasRight(role, "approve")) await endApprovalsBy(tx, { accountId, personId, now });
  await endInvitationsBy(tx, { accountId, personId });
  const change = { kind: "role_changed", subject: `${member.role}, now ${role}`, target: personId } as const;
  await recordSecurityEvent(tx, { accountId, personId: session.personId, ...change, ip, now });
}

/** Changes what a member may spend. Other roles have no budget of their own. @throws Refusal not_found, invalid_request, insufficient_scope */
export async function changeMemberLimits(
  tx: Tx,
  { personId, limits, session, ip, now }: By & { personId: string; limits: SpendingLimits },
): Promise<void> {
  const { accountId } = session;
  requireManager(await lockMembers(tx, session), []);
  const member = await memberOf(tx, { accountId, personId });
  if (!member) throw noSuchMember();
  if (member.role !== "member")
    throw refused("Only a member has a budget: other roles spend nothing, or whatever there is.");
  await setMemberLimits(tx, { accountId, personId, limits });
  const change = { kind: "limits_changed", subject: "budget of a member", target: personId } as const;
  await recordSecurityEvent(tx, { accountId, personId: session.personId, ...change, ip, now });
}

/**
 * Removes a member, or lets one leave. What the person has made in the account ends, or is handed over.
 * @param heir who has it from then on; null: it ends
 * @throws Refusal not_found, invalid_request, insufficient_scope
 */
export async function removeMember(
  tx: Tx,
  { mailer, siteUrl }: MailServices,
  { personId, heir, session, ip, now }: By & { personId: string; heir: string | null },
): Promise<void> {
  const { accountId } = session;
  const { email, role } = await memberToChange(tx, session, { personId, role: null });
  const kind = personId === session.personId ? "member_left" : "member_removed";
  // First, while it is known what role the one has who does it.
  const change = { kind, subject: role, target: personId } as const;
  await recordSecurityEvent(tx, { accountId, personId: session.personId, ...change, ip, now });
  if (heir !== null) await handOver(tx, { accountId, personId, heir });
  else await endWhatWasMade(tx, { accountId, personId, doer: session.personId, ip, now });
  await endInvitationsBy(tx, { accountId, personId });
  await limitByRole(tx, { accountId, personId, role: null });
  await endApprovalsBy(tx, { accountId, personId, now });
  await endExportsOf(tx, { accountId, personId });
  const { members, sessions } = tx.t;
  await tx.q.delete(members).where(and(eq(members.accountId, accountId), eq(members.personId, personId)));
  await tx.q.delete(sessions).where(and(eq(sessions.accountId, accountId), eq(sessions.personId, personId)));
  await voidCodes(tx, { personId }, now);
  await recordEvents(tx, accountId, [{ type: "member.left", data: { person_id: personId, role } }], now);
  if ((await accountsOfPerson(tx, personId)).length === 0) await deletePerson(tx, { id: personId, email });
  if (kind === "member_removed") await mailer.queue(tx, memberRemoved(email, { by: session.email, siteUrl }));
}

async function endWhatWasMade(
  tx: Tx,
  { accountId, personId, ...end }: { accountId: string; personId: string; doer: string; ip: string; now: number },
): Promise<void> {
  const { now } = end;
  await revokeCredentials(tx, { accountId, personId }, { by: "member_removed", ...end });
  await endItsWork(tx, { accountId, maker: personId, now });
  const { doer, ip } = end;
  await endConnectionsOf(tx, { accountId, personId: doer, onlyOf: personId, ip, now });
}

/** Keys, apps, connections to search engines, webhooks, watches and shares are another member's from then on, whose role limits them. */
async function handOver(
  tx: Tx,
  { accountId, personId, heir }: { accountId: string; personId: string; heir: string },
): Promise<void> {
  if (!(await memberOf(tx, { accountId, personId: heir })) || heir === personId)
    throw refused("Choose another member of the account.");
  const { apiKeys, grants, connections, webhooks, watches, shares } = tx.t;
  for (const table of [apiKeys, grants, connections] as (typeof grants)[])
    await tx.q
      .update(table)
      .set({ personId: heir })
      .where(and(eq(table.accountId, accountId), eq(table.personId, personId)));
  for (const table of [watches, shares] as (typeof watches)[])
    await tx.q
      .update(table)
      .set({ maker: heir })
      .where(and(eq(table.accountId, accountId), eq(table.maker, personId)));
  // A webhook for a URL that the heir has one for ends with its maker.
  const known = tx.q.select({ url: webhooks.url }).from(webhooks);
  const ofHeir = known.where(and(eq(webhooks.accountId, accountId), eq(webhooks.maker, heir)));
  await tx.q
    .update(webhooks)
    .set({ maker: heir })
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.maker, personId), notInArray(webhooks.url, ofHeir)));
}

/** The member whose role is about to change, or who is removed. @param change.role null: the member goes */
async function memberToChange(
  tx: Tx,
  session: Session,
  { personId, role }: { readonly personId: string; readonly role: Role | null },
): Promise<Member> {
  const { accountId } = session;
  const own = await lockMembers(tx, session);
  const member = await memberOf(tx, { accountId, personId });
  if (!member) throw noSuchMember();
  const isLeaving = role === null && personId === session.personId;
  if (!isLeaving) requireManager(own, [member.role, ...(role ? [role] : [])]);
  const owners = (await membersOf(tx, accountId)).filter((one) => one.role === "owner");
  if (member.role === "owner" && role !== "owner" && owners.length === 1)
    throw refused("An account has an owner. Make somebody else an owner first, or delete the account.");
  return member;
}

/** Locks the account, so that of two owners who leave at the same time one stays. @returns who is signed in, as a member */
async function lockMembers(tx: Tx, session: Session): Promise<Member> {
  const { accounts } = tx.t;
  const { accountId } = session;
  await tx.q.update(accounts).set({ id: accountId }).where(eq(accounts.id, accountId)).returning({ id: accounts.id });
  const own = await memberOf(tx, session);
  if (!own) throw noSuchMember();
  return own;
}

/** Asks for the right that giving and taking these roles needs. @throws Refusal insufficient_scope */
function requireManager(own: Member, roles: readonly Role[]): void {
  requireRole(own.role, roles.includes("owner") ? "owners" : "people");
}

function noSuchMember(): Refusal {
  return new Refusal("not_found", "Your account has no such member.");
}

function refused(message: string): Refusal {
  return new Refusal("invalid_request", message);
}
