import { renameAccount } from "../../../domain/accounts/accounts.ts";
import { keepAccount, requestDeletion } from "../../../domain/deletion/request-deletion.ts";
import { requestExport } from "../../../domain/exports/exports.ts";
import { changeNoticeSettings, type NoticeSettings, unsubscribe } from "../../../domain/notices/settings.ts";
import { recordSecurityEvent } from "../../../domain/security-log/security-log.ts";
import type { SpendingLimits } from "../../../domain/spending/limits.ts";
import { confirmAddressChange, requestAddressChange } from "../../../domain/users/change-address.ts";
import { changePassword } from "../../../domain/users/change-password.ts";
import {
  changeMemberLimits,
  changeRole,
  chooseAccount,
  inviteMember,
  joinAccount,
  removeMember,
  uninvite,
} from "../../../domain/users/manage-members.ts";
import { passwordProblem } from "../../../domain/users/passwords.ts";
import { endSession, endSessions, sessionsOf } from "../../../domain/users/sessions.ts";
import { undoAddressChange } from "../../../domain/users/undo-address.ts";
import { revokeEnded } from "../../../indexing/connections/end.ts";
import type { Role } from "../../../platform/principal.ts";
import type { FormPost, PageRequest, SignedInPost, WebsiteServices } from "../shell/page-request.ts";
import { userServicesOf, visitorOf } from "../sign-in/users/visitor.ts";

/** What only a person changes of an account: its name, people, sessions, password and address, and whether it lives. No operation does. */

export { passwordProblem };

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

/** @returns the secret of the session that goes on; null: the current password is wrong */
export function replacePassword(
  services: WebsiteServices,
  post: SignedInPost,
  passwords: { readonly current: string; readonly password: string },
): Promise<string | null> {
  const { session, now } = post;
  return changePassword(userServicesOf(services), { session, ...passwords, now, visitor: visitorOf(post) });
}

/** @param typed the address, to confirm it @throws Refusal invalid_request when it is another one */
export async function askForDeletion(services: WebsiteServices, post: SignedInPost, typed: string): Promise<void> {
  const { session } = post;
  const request = { session, typed, visitor: visitorOf(post), times: timesOf(services, post) };
  await requestDeletion(userServicesOf(services), request);
  await revokeEnded(services, session.accountId);
}

/** Keeps an account that is to be deleted. */
export async function keep(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const { session } = post;
  await keepAccount(userServicesOf(services), { session, visitor: visitorOf(post), times: timesOf(services, post) });
}

function timesOf({ clock }: WebsiteServices, { now }: SignedInPost) {
  return { now, service: clock.service() };
}

export function invite(services: WebsiteServices, post: SignedInPost, invited: { email: string; role: Role }) {
  return post.sessionTx((tx) => inviteMember(tx, userServicesOf(services), { ...post, ...invited }));
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
  return post.sessionTx((tx) => removeMember(tx, userServicesOf(services), { ...post, ...removed }));
}

/** @returns the new secret of the session; null: the person is no member of it */
export function choose({ session, now, sessionTx }: SignedInPost, chosen: string): Promise<string | null> {
  return sessionTx((tx) => chooseAccount(tx, { ...session, chosen, now }));
}

/** @returns the new secret of the session; null: it is gone, or is for another address */
export function join(post: SignedInPost, id: string): Promise<string | null> {
  return post.sessionTx((tx) => joinAccount(tx, { ...post, id }));
}

/** Mails a link to a new address, which changes nothing before it is opened. @throws Refusal */
export async function askForAddress(services: WebsiteServices, post: SignedInPost, email: string): Promise<void> {
  const { session, now } = post;
  await requestAddressChange(userServicesOf(services), { session, email, visitor: visitorOf(post), now });
}

/** @param link of the mail @returns false: it is not valid any more */
export function changeAddress(services: WebsiteServices, post: SignedInPost, link: string): Promise<boolean> {
  const { session, now } = post;
  return confirmAddressChange(userServicesOf(services), { session, link, visitor: visitorOf(post), now });
}

/** @param link of the mail @returns the page on which a new password is chosen; null: there is nothing to undo */
export function undoAddress(services: WebsiteServices, post: FormPost, link: string): Promise<string | null> {
  return undoAddressChange(userServicesOf(services), { link, visitor: visitorOf(post), now: post.now });
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
