import { ACCOUNT_NAME_LENGTH, renameAccount } from "../../../domain/accounts/accounts.ts";
import { type DeletionPreview, previewDeletion } from "../../../domain/deletion/preview.ts";
import { keepAccount, requestDeletion } from "../../../domain/deletion/request-deletion.ts";
import { DELETION_DELAY } from "../../../domain/deletion/requests.ts";
import { EXPORT_KEPT, type ExportRow, exportOf, progressOf, requestExport } from "../../../domain/exports/exports.ts";
import { fileOf } from "../../../domain/exports/file.ts";
import { usageOf } from "../../../domain/limits/day.ts";
import {
  NOTICE_KIND_NAMES,
  NOTICE_KINDS,
  type NoticeKind,
  SECURITY_NOTICES,
} from "../../../domain/mail/layout/notice-kinds.ts";
import {
  changeNoticeSettings,
  MAX_THRESHOLD,
  type NoticeSettings,
  noticeSettingsOf,
  unsubscribe,
} from "../../../domain/notices/settings.ts";
import { subscriptionOf, UNSUBSCRIBE_PATH } from "../../../domain/notices/unsubscribe.ts";
import { addressUndoOf, undoableUntil } from "../../../domain/people/address-undos.ts";
import { type Invitation, invitationsOf, invitationsTo } from "../../../domain/people/invitations.ts";
import { type Member, membersOf, type OwnAccount, ownAccounts } from "../../../domain/people/members.ts";
import {
  CHANGES,
  type Change,
  recordSecurityEvent,
  securityEventsOf,
  subjectOf,
} from "../../../domain/security-log/security-log.ts";
import type { SpendingLimits } from "../../../domain/spending/limits.ts";
import { type Spending, spendingOfHolder } from "../../../domain/spending/read.ts";
import { CONFIRM_ADDRESS_PATH, UNDO_ADDRESS_PATH } from "../../../domain/users/change-address.ts";
import {
  changeMemberLimits,
  changeRole,
  chooseAccount,
  inviteMember,
  joinAccount,
  removeMember,
  uninvite,
} from "../../../domain/users/manage-members.ts";
import { endSession, endSessions, type Session, sessionsOf } from "../../../domain/users/sessions.ts";
import { revokeEnded } from "../../../indexing/connections/end.ts";
import { secretBoxOf } from "../../../platform/config/secrets-key.ts";
import type { Role } from "../../../platform/principal.ts";
import { hasRight } from "../../../platform/roles.ts";
import type { PageRequest, SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { visitorOf } from "../sign-in/domain.ts";

/**
 * What the pages of the account take of the domain. It is about the person who signs in, so no operation answers it. What only a
 * person changes is changed here: the name, people and sessions of the account, and whether it lives.
 */

export type { DeletionPreview, Invitation, Member, NoticeKind, NoticeSettings, OwnAccount, Session, Spending };
export type Export = ExportRow;
export {
  ACCOUNT_NAME_LENGTH,
  CONFIRM_ADDRESS_PATH,
  DELETION_DELAY,
  EXPORT_KEPT,
  MAX_THRESHOLD,
  NOTICE_KIND_NAMES,
  NOTICE_KINDS,
  SECURITY_NOTICES,
  subjectOf,
  UNDO_ADDRESS_PATH,
  UNSUBSCRIBE_PATH,
};

/** The browsers that are signed in. */
export async function sessionsNow({ db }: WebsiteServices, { session, now }: SignedInRequest): Promise<Session[]> {
  return sessionsOf(db, session.personId, now);
}

/** A page of the security log, newest first: for whoever may manage people, of all of them. */
export function securityLog(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  page: { readonly limit: number; readonly offset: number },
) {
  return securityEventsOf(db, { ...session, isWhole: hasRight(session.role, "people") }, page);
}

/** What an event of the security log is called. */
export function eventName(kind: string): string {
  return CHANGES[kind as Change] ?? kind;
}

/** Until when the last change of the address can be undone; null: it cannot. */
export async function addressUndoableUntil(
  { db }: WebsiteServices,
  { session, now }: SignedInRequest,
): Promise<number | null> {
  return undoableUntil(db, session.personId, now);
}

export function noticeSettings({ db }: WebsiteServices, { session }: SignedInRequest): Promise<NoticeSettings> {
  return noticeSettingsOf(db, session.accountId);
}

/** What a deletion of the account ends. */
export function deletionPreview({ db }: WebsiteServices, { session, now }: SignedInRequest): Promise<DeletionPreview> {
  return previewDeletion(db, session.accountId, now);
}

/** Who the members are and what they may spend, and for those who may invite, who is invited. */
export async function peopleOf({ db }: WebsiteServices, { session, now }: SignedInRequest) {
  const { accountId, role } = session;
  const mayManage = hasRight(role, "people");
  const invitations = mayManage ? await invitationsOf(db, accountId, now) : [];
  const members = await membersOf(db, accountId);
  const shown = members.filter(
    ({ personId, role: its }) => its === "member" && (mayManage || personId === session.personId),
  );
  const budgets = new Map<string, Spending>();
  for (const { personId: holder } of shown) budgets.set(holder, await spendingOfHolder(db, { accountId, holder }, now));
  return { members, invitations, budgets, mayManage };
}

/** The accounts of who is signed in, and the invitations to their address. */
export async function accountsNow({ db }: WebsiteServices, { session, now }: SignedInRequest) {
  const { personId, email } = session;
  return { accounts: await ownAccounts(db, personId), invitations: await invitationsTo(db, email, now) };
}

/** What the account has used of its daily limits. */
export function usageToday({ db }: WebsiteServices, { session, now }: SignedInRequest) {
  return usageOf(db, session.accountId, now);
}

/** What the link of a mail undoes; null: nothing any more. */
export function addressUndo({ db }: WebsiteServices, { now }: PageRequest, link: string) {
  return addressUndoOf(db, link, now);
}

/** What the token in the link of a mail unsubscribes from; null: it is not valid. */
export function subscriptionAt({ config }: WebsiteServices, token: string) {
  return subscriptionOf(secretBoxOf(config), token);
}

/** The newest export, whether it is ready or not; null: there is none. */
export async function exportNow({ db }: WebsiteServices, { session, now }: SignedInRequest): Promise<Export | null> {
  return exportOf(db, session.accountId, now, session.personId);
}

/** The file of an export that is ready, piece by piece. */
export function exportFile({ db }: WebsiteServices, row: Export) {
  return fileOf(db, row);
}

export const exportProgress = progressOf;

export function rename({ session, sessionTx, ip, now }: SignedInPost, name: string): Promise<void> {
  return sessionTx((tx) =>
    renameAccount(tx, { accountId: session.accountId, personId: session.personId, name, ip, now }),
  );
}

export function saveNotices({ session, sessionTx, ip, now }: SignedInPost, settings: NoticeSettings): Promise<void> {
  const { accountId, personId } = session;
  return sessionTx(async (tx) => {
    await changeNoticeSettings(tx, { accountId, ...settings, now });
    await recordSecurityEvent(tx, { accountId, personId, kind: "notices_changed", subject: "", ip, now });
  });
}

/** Signs one browser out. @returns null: the person has no such session */
export function signOutBrowser({ session: { personId }, sessionTx, ip, now }: SignedInPost, id: string) {
  return sessionTx(async (tx) => {
    const session = await endSession(tx, { personId, id }, now);
    if (session) await recordSecurityEvent(tx, { personId, kind: "session_ended", subject: session.browser, ip, now });
    return session;
  });
}

/** Signs all browsers out but this one. */
export function signOutOthers({ session, sessionTx, ip, now }: SignedInPost): Promise<void> {
  const { personId } = session;
  return sessionTx(async (tx) => {
    const others = (await sessionsOf(tx, personId, now)).filter(({ id }) => id !== session.id);
    await endSessions(tx, personId, now, session.id);
    for (const { browser } of others)
      await recordSecurityEvent(tx, { personId, kind: "session_ended", subject: browser, ip, now });
  });
}

/** The services that a mail needs. */
function mailingOf({ db, mailer, config: { siteUrl } }: WebsiteServices) {
  return { db, mailer, siteUrl };
}

/** @param typed the address, to confirm it @throws Refusal invalid_request when it is another one */
export async function askForDeletion(services: WebsiteServices, post: SignedInPost, typed: string): Promise<void> {
  const { session } = post;
  const request = { session, typed, visitor: visitorOf(post), times: timesOf(services, post) };
  await requestDeletion(mailingOf(services), request);
  await revokeEnded(services, session.accountId);
}

/** Keeps an account that is to be deleted. */
export async function keep(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const { session } = post;
  await keepAccount(mailingOf(services), { session, visitor: visitorOf(post), times: timesOf(services, post) });
}

function timesOf({ clock }: WebsiteServices, { now }: SignedInPost) {
  return { now, service: clock.service() };
}

export function invite(services: WebsiteServices, post: SignedInPost, invited: { email: string; role: Role }) {
  return post.sessionTx((tx) => inviteMember(tx, mailingOf(services), { ...post, ...invited }));
}

/** @returns false: it was accepted, taken back or has ended */
export function takeBack(post: SignedInPost, id: string): Promise<boolean> {
  return post.sessionTx((tx) => uninvite(tx, { ...post, id }));
}

export function giveRole(post: SignedInPost, change: { personId: string; role: Role }): Promise<void> {
  return post.sessionTx((tx) => changeRole(tx, { ...post, ...change }));
}

export function giveBudget(post: SignedInPost, change: { personId: string; limits: SpendingLimits }): Promise<void> {
  return post.sessionTx((tx) => changeMemberLimits(tx, { ...post, ...change }));
}

/** @param removed.heir who has what the member made; null: it ends */
export function remove(
  services: WebsiteServices,
  post: SignedInPost,
  removed: { personId: string; heir: string | null },
) {
  return post.sessionTx((tx) => removeMember(tx, mailingOf(services), { ...post, ...removed }));
}

/** @returns the new secret of the session; null: the person is no member of it */
export function choose({ session, now, sessionTx }: SignedInPost, chosen: string): Promise<string | null> {
  return sessionTx((tx) => chooseAccount(tx, { ...session, chosen, now }));
}

/** @returns the new secret of the session; null: it is gone, or is for another address */
export function join(post: SignedInPost, id: string): Promise<string | null> {
  return post.sessionTx((tx) => joinAccount(tx, { ...post, id }));
}

/** @throws Refusal rate_limited */
export async function askForExport({ session, sessionTx, now }: SignedInPost): Promise<void> {
  await sessionTx((tx) => requestExport(tx, session, now));
}

/** Switches off the kind of mail that the link of a mail names. */
export async function endSubscription(
  { db }: WebsiteServices,
  { now }: PageRequest,
  subscription: Parameters<typeof unsubscribe>[1],
): Promise<void> {
  await db.tx((tx) => unsubscribe(tx, subscription, now));
}
