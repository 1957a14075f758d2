import type { Mail } from "../mail/mailer.ts";
import { message } from "../mail/templates/plain.ts";

/** The mail to an address that somebody signed up with. */
export function confirmAddress(to: string, link: string): Mail {
  return message(to, "Confirm your e-mail address for Beckon", [
    "Somebody, we hope you, signed up for Beckon with this e-mail address. To create the account, open this link:",
    link,
    "The link works once, and for 24 hours. In another browser than the one you signed up with, it asks for the password you chose.",
    "If this was not you, ignore this mail: no account is created unless the link is used.",
  ]);
}

/** The mail to an address that somebody signed up with, when it has an account already. */
export function accountExists(to: string, siteUrl: string): Mail {
  return message(to, "You already have a Beckon account", [
    "Somebody, we hope you, signed up for Beckon with this e-mail address, but it already has an account. Sign in here:",
    `${siteUrl}/sign-in`,
    "If you do not know your password, set a new one here:",
    `${siteUrl}/forgot`,
    "If this was not you, ignore this mail: your account and its password have not changed.",
  ]);
}

/** The mail with a link to set a new password. */
export function resetLink(to: string, link: string): Mail {
  return message(to, "Set a new password for Beckon", [
    "Somebody, we hope you, asked to reset the password of the Beckon account with this e-mail address. Set a new password here:",
    link,
    "The link works once, and for 24 hours.",
    "If this was not you, ignore this mail: your password has not changed.",
  ]);
}

/** The mail to the owner of an account whose password was just set. */
export function passwordChanged(to: string, siteUrl: string): Mail {
  return message(to, "Your Beckon password was changed", [
    "The password of your Beckon account was just changed, and all other browsers were signed out.",
    "If this was you, you need not do anything. If not, set a new password at once. When you do, you can also disconnect all apps and agents, and revoke all API keys:",
    `${siteUrl}/forgot`,
  ]);
}

/** The mail to the owner of an account whose password somebody keeps guessing. */
export function signInFailing(to: string, siteUrl: string): Mail {
  return message(to, "Failed sign-ins to your Beckon account", [
    "In the last 24 hours, somebody tried more than 50 times to sign in to your Beckon account with a wrong password. These attempts failed. You can go on signing in with the browsers that you have used before; in others, after 100 wrong passwords, you need a link by mail.",
    "If your password is long and used nowhere else, you need not do anything. If not, set a new one:",
    `${siteUrl}/forgot`,
    "We send this mail at most once a day.",
  ]);
}
