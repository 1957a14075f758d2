import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

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
