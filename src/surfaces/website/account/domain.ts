import { ACCOUNT_NAME_LENGTH } from "../../../domain/accounts/accounts.ts";
import { type DeletionPreview, previewDeletion } from "../../../domain/deletion/preview.ts";
import { DELETION_DELAY } from "../../../domain/deletion/requests.ts";
import { EXPORT_KEPT, type ExportRow, exportOf, progressOf } from "../../../domain/exports/exports.ts";
import { fileOf } from "../../../domain/exports/file.ts";
import { usageOf } from "../../../domain/limits/day.ts";
import {
  NOTICE_KIND_NAMES,
  NOTICE_KINDS,
  type NoticeKind,
  SECURITY_NOTICES,
} from "../../../domain/mail/layout/notice-kinds.ts";
import { MAX_THRESHOLD, type NoticeSettings, noticeSettingsOf } from "../../../domain/notices/settings.ts";
import { subscriptionOf, UNSUBSCRIBE_PATH } from "../../../domain/notices/unsubscribe.ts";
import { addressUndoOf, undoableUntil } from "../../../domain/people/address-undos.ts";
import { normaliseEmail } from "../../../domain/people/email.ts";
import { type Invitation, invitationsOf, invitationsTo } from "../../../domain/people/invitations.ts";
import { type Member, membersOf, type OwnAccount, ownAccounts } from "../../../domain/people/members.ts";
import { CHANGES, type Change, securityEventsOf, subjectOf } from "../../../domain/security-log/security-log.ts";
import { type Spending, spendingOfHolder } from "../../../domain/spending/read.ts";
import { CONFIRM_ADDRESS_PATH, UNDO_ADDRESS_PATH } from "../../../domain/users/change-address.ts";
import { LINK_LIFETIME, linkOf, type MailedLink } from "../../../domain/users/mailed-links.ts";
import { type Session, sessionsOf } from "../../../domain/users/sessions.ts";
import { secretBoxOf } from "../../../platform/config/secrets-key.ts";
import { hasRight } from "../../../platform/roles.ts";
import type { PageRequest, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/**
 * What the pages of the account show. It is about the person who signs in, so no program is told of it and no operation
 * answers it.
 */

export type {
  DeletionPreview,
  Invitation,
  MailedLink,
  Member,
  NoticeKind,
  NoticeSettings,
  OwnAccount,
  Session,
  Spending,
};
export type Export = ExportRow;
export {
  ACCOUNT_NAME_LENGTH,
  CONFIRM_ADDRESS_PATH,
  DELETION_DELAY,
  EXPORT_KEPT,
  LINK_LIFETIME,
  MAX_THRESHOLD,
  NOTICE_KIND_NAMES,
  NOTICE_KINDS,
  normaliseEmail,
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

/** The link of a mail; null: it is not valid any more. */
export function mailedLink({ db }: WebsiteServices, { now }: PageRequest, secret: string): Promise<MailedLink | null> {
  return linkOf(db, secret, now);
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
