import type { Mail } from "../mail/mailer.ts";
import { dayOf, message } from "../mail/templates/plain.ts";

/** The mail to the address that an account is to get, with the link that confirms it. */
export function confirmNewAddress(to: string, { link }: { link: string }): Mail {
  return message(to, "Confirm your new e-mail address for Beckon", [
    "Somebody, we hope you, asked to use this e-mail address for a Beckon account. To confirm it, open this link where you are signed in to that account:",
    link,
    "The link works once, and for 24 hours.",
    "If this was not you, ignore this mail: nothing changes unless the link is used.",
  ]);
}

/** The mail to an address that was given for another account, and has one already. */
export function addressTaken(to: string, { siteUrl }: { siteUrl: string }): Mail {
  return message(to, "This address already has a Beckon account", [
    "Somebody, we hope you, asked to use this e-mail address for another Beckon account, but it already has one. An address belongs to one account only. Sign in to the one that it has here:",
    `${siteUrl}/sign-in`,
    "If this was not you, ignore this mail: your account has not changed.",
  ]);
}

/** The mail to an address that is kept for the account that had it before. */
export function addressKept(to: string, { until }: { until: number }): Mail {
  return message(to, "This address is still kept for a Beckon account", [
    `Somebody, we hope you, asked to use this e-mail address for a Beckon account. It belonged to another one until a few days ago, whose change of address can still be undone. The address is free from ${dayOf(until)} on.`,
    "If this was not you, ignore this mail: nothing has changed.",
  ]);
}

/** The mail to the address of an account that another one was requested for. */
export function addressChangeRequested(to: string, { email, siteUrl }: { email: string; siteUrl: string }): Mail {
  return message(to, "Your Beckon account is to get another address", [
    `Somebody, we hope you, asked to change the e-mail address of your Beckon account to ${email}. It changes when a link that we have sent there is used.`,
    "If this was you, you need not do anything. If not, set a new password at once, which stops the change:",
    `${siteUrl}/forgot`,
  ]);
}

/** The mail to the earlier address of an account, with the link that undoes the change. */
export function addressChanged(
  to: string,
  { email, link, expiresAt }: { email: string; link: string; expiresAt: number },
): Mail {
  return message(to, "The address of your Beckon account was changed", [
    `The e-mail address of your Beckon account was just changed to ${email}. Mail about the account goes there from now on.`,
    `If this was you, you need not do anything. If not, undo it. This brings this address back, signs out every browser, disconnects all apps and agents, revokes all API keys, and lets you choose a new password. It is possible until ${dayOf(expiresAt)}:`,
    link,
  ]);
}

/** The mail to the new address of an account. */
export function addressIsNow(to: string, { previous, siteUrl }: { previous: string; siteUrl: string }): Mail {
  return message(to, "Your Beckon account has this address now", [
    `The e-mail address of your Beckon account was just changed from ${previous} to this one. Sign in with it from now on.`,
    "If this was you, you need not do anything. For seven days, a link in a mail to the earlier address can undo the change. Your account is here:",
    `${siteUrl}/dashboard`,
  ]);
}

/** The mail to the address that an account has again, with the link to set a new password. */
export function addressRestored(to: string, { link }: { link: string }): Mail {
  return message(to, "Your Beckon account has its old address again", [
    "The change of the e-mail address of your Beckon account was just undone. Every browser is signed out, all apps and agents are disconnected, and all API keys are revoked. The old password no longer signs in. If you have set a new one already, you need not do anything. If not, set it here:",
    link,
    "The link works once, and for 24 hours.",
  ]);
}

/** The mail to the address that an account no longer has, since the change was undone. */
export function addressTakenBack(to: string, { email, siteUrl }: { email: string; siteUrl: string }): Mail {
  return message(to, "The change of your Beckon address was undone", [
    `Somebody with access to ${email}, an earlier address of your Beckon account, has undone the change of its e-mail address. The account has that address again, and this one no longer signs in.`,
    "If this was you, you need not do anything. If not, write to us from here:",
    siteUrl,
  ]);
}
