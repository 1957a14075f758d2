import { renameAccount } from "../../../domain/accounts/accounts.ts";
import { keepAccount, requestDeletion } from "../../../domain/deletion/request-deletion.ts";
import { changeNoticeSettings, type NoticeSettings } from "../../../domain/notices/settings.ts";
import { recordSecurityEvent } from "../../../domain/security-log/security-log.ts";
import { changePassword } from "../../../domain/users/change-password.ts";
import { passwordProblem } from "../../../domain/users/passwords.ts";
import { endSession, endSessions, sessionsOf } from "../../../domain/users/sessions.ts";
import { revokeEnded } from "../../../indexing/connections/end.ts";
import type { SignedInPost, WebsiteServices } from "../shell/page-request.ts";
import { userServicesOf, visitorOf } from "../sign-in/users/visitor.ts";

/** What only a person changes of an account: its name, sessions, password and address, and whether it lives. No operation does. */

export { passwordProblem };

export function rename({ session, sessionTx, ip, now }: SignedInPost, name: string): Promise<void> {
  return sessionTx((tx) => renameAccount(tx, { accountId: session.accountId, name, ip, now }));
}

export function saveNotices({ session, sessionTx, now }: SignedInPost, settings: NoticeSettings): Promise<void> {
  return sessionTx((tx) => changeNoticeSettings(tx, { accountId: session.accountId, ...settings, now }));
}

/** Signs one browser out. @returns null: the account has no such session */
export function signOutBrowser({ session: { accountId }, sessionTx, ip, now }: SignedInPost, id: string) {
  return sessionTx(async (tx) => {
    const session = await endSession(tx, { accountId, id }, now);
    if (session) await recordSecurityEvent(tx, { accountId, kind: "session_ended", subject: session.browser, ip, now });
    return session;
  });
}

/** Signs all browsers out but this one. */
export function signOutOthers({ session, sessionTx, ip, now }: SignedInPost): Promise<void> {
  const { accountId } = session;
  return sessionTx(async (tx) => {
    const others = (await sessionsOf(tx, accountId, now)).filter(({ id }) => id !== session.id);
    await endSessions(tx, accountId, now, session.id);
    for (const { browser } of others)
      await recordSecurityEvent(tx, { accountId, kind: "session_ended", subject: browser, ip, now });
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
