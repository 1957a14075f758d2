import type { Mail } from "../mail/mailer.ts";

/** To an address that somebody signs up with. */
export function confirmAddress(to: string, link: string): Mail {
  return message(to, "Open your Beckon account", [
    "Somebody, we hope you, signed up for Beckon with this e-mail address. Open your account here:",
    link,
    "The link is good for 24 hours, once. In another browser than the one you signed up with, it asks for the password you chose.",
    "If this was not you, do nothing: no account is opened without this link.",
  ]);
}

/** To an address that somebody signs up with and that has an account. */
export function accountExists(to: string, siteUrl: string): Mail {
  return message(to, "You have a Beckon account already", [
    "Somebody, we hope you, signed up for Beckon with this e-mail address, which has an account already. Sign in here:",
    `${siteUrl}/sign-in`,
    "If you do not know your password, ask for a new one here:",
    `${siteUrl}/forgot`,
    "If this was not you, do nothing: your account and its password are as they were.",
  ]);
}

/** To the owner of an account who forgot the password. */
export function resetLink(to: string, link: string): Mail {
  return message(to, "Set a new password for Beckon", [
    "Somebody, we hope you, asked for a new password for the Beckon account of this e-mail address. Set it here:",
    link,
    "The link is good for 24 hours, once.",
    "If this was not you, do nothing: your password stays as it is.",
  ]);
}

/** To the owner of an account whose password has just been set. */
export function passwordChanged(to: string, siteUrl: string): Mail {
  return message(to, "Your Beckon password was changed", [
    "The password of your Beckon account was changed just now, and all other browsers were signed out.",
    "If this was you, there is nothing to do. If not, set a new password at once, and have apps, agents and API keys ended with it:",
    `${siteUrl}/forgot`,
  ]);
}

/** To the owner of an account that somebody keeps guessing at. */
export function signInFailing(to: string, siteUrl: string): Mail {
  return message(to, "Failed attempts to sign in to Beckon", [
    "More than 50 times today, somebody tried to sign in to your Beckon account with a wrong password. Nobody got in by that, and you are not locked out.",
    "If your password is long and used nowhere else, there is nothing to do. If not, set a new one:",
    `${siteUrl}/forgot`,
    "You get this at most once a day.",
  ]);
}

function message(to: string, subject: string, paragraphs: readonly string[]): Mail {
  const text = ["Hello,", ...paragraphs.map(wrapped), "Beckon"].join("\n\n");
  return { to, subject, text: `${text}\n` };
}

/** In lines that fit everywhere (RFC 5322 section 2.1.1); a link stays whole. */
function wrapped(paragraph: string): string {
  return paragraph.replace(/(.{1,72})( |$)/g, (_all, line: string, end: string) => (end === "" ? line : `${line}\n`));
}
