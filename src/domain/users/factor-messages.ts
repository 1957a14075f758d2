import type { Mail } from "../mail/mailer.ts";
import { message } from "../mail/templates/plain.ts";

/** What every notice of this file links to. */
interface Notice {
  readonly siteUrl: string;
}

const NOT_YOU = "If this was not you, somebody else can sign in to your account. Set a new password at once:";

/** The mail to the owner of an account to which a passkey was added. */
export function passkeyAdded(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, "A passkey was added to your Beckon account", [
    `The passkey "${name}" was just added to your Beckon account. Whoever holds it can sign in with it.`,
    "If this was you, you need not do anything. If not, remove it at once, and set a new password:",
    `${siteUrl}/dashboard/security`,
  ]);
}

/** The mail to the owner of an account from which a passkey was removed. */
export function passkeyRemoved(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, "A passkey was removed from your Beckon account", [
    `The passkey "${name}" was just removed from your Beckon account, and no longer signs in to it.`,
    NOT_YOU,
    `${siteUrl}/forgot`,
  ]);
}

/** The mail about a passkey whose signature counter went back (WebAuthn level 3 section 6.1.1). */
export function passkeyRefused(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, "A passkey of your Beckon account was refused", [
    `Somebody just used the passkey "${name}" of your Beckon account, and we refused it: it counts how often it was used, and that count went back. A second device may hold a copy of it.`,
    "If you have restored that device from a backup, remove the passkey and add it again. If you do not know why this happened, remove it and use another one:",
    `${siteUrl}/dashboard/security`,
  ]);
}

/** The mail to the owner of an account to which an authenticator app was added. */
export function appAdded(to: string, { siteUrl }: Notice): Mail {
  return message(to, "An authenticator app was added to your Beckon account", [
    "An authenticator app was just added to your Beckon account. From now on, signing in with the password also asks for a code of that app, or for a passkey.",
    "If this was you, you need not do anything. If not, remove it at once, and set a new password:",
    `${siteUrl}/dashboard/security`,
  ]);
}

/** The mail to the owner of an account from which the authenticator app was removed. */
export function appRemoved(to: string, { siteUrl }: Notice): Mail {
  return message(to, "The authenticator app was removed from your Beckon account", [
    "The authenticator app was just removed from your Beckon account. Its codes are no longer asked for.",
    NOT_YOU,
    `${siteUrl}/forgot`,
  ]);
}

/** The mail to the owner of an account whose recovery code was used. */
export function recoveryCodeUsed(to: string, { left, siteUrl }: Notice & { left: number }): Mail {
  return message(to, "A recovery code of your Beckon account was used", [
    `A recovery code of your Beckon account was just used in place of a passkey or a code. ${left === 1 ? "1 recovery code is" : `${left} recovery codes are`} left.`,
    "If this was you, make new ones before they run out. If not, make new ones at once, so that the others are void, and set a new password:",
    `${siteUrl}/dashboard/security`,
  ]);
}

/** The mail that a removal of all factors was requested, with the link that cancels it. */
export function removalRequested(to: string, { link, due }: { link: string; due: string }): Mail {
  return message(to, "Your passkeys and codes will be removed from Beckon", [
    `Somebody, we hope you, signed in to your Beckon account with its password, and told us that all passkeys, the authenticator app and the recovery codes are lost. We will remove them on ${due}. From then on, the password alone signs in.`,
    "If this was not you, cancel it here, and set a new password:",
    link,
    "Signing in with a passkey, a code or a recovery code cancels it too. We remind you every day.",
  ]);
}

/** The reminder that all factors will be removed. The link that cancels it is in the first mail only. */
export function removalReminder(to: string, { due, siteUrl }: Notice & { due: string }): Mail {
  return message(to, "Reminder: your passkeys and codes will be removed from Beckon", [
    `On ${due} we will remove all passkeys, the authenticator app and the recovery codes from your Beckon account, as somebody who knows its password requested.`,
    "If this was not you, cancel it: by the link in our first mail about it, or by signing in with a passkey, a code or a recovery code:",
    `${siteUrl}/sign-in`,
  ]);
}

/** The mail that all factors were removed. */
export function factorsRemoved(to: string, { siteUrl }: Notice): Mail {
  return message(to, "Your passkeys and codes were removed from Beckon", [
    "As requested seven days ago, we have removed all passkeys, the authenticator app and the recovery codes from your Beckon account. The password alone signs in now. Add a passkey or an app again here:",
    `${siteUrl}/dashboard/security`,
    "If this was not you, set a new password at once:",
    `${siteUrl}/forgot`,
  ]);
}
