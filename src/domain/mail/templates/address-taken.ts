import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to an address that was given for another account, and has one already. */
export function addressTaken(to: string, { siteUrl }: { siteUrl: string }): Mail {
  return message(to, "This address already has a Beckon account", [
    "Somebody, we hope you, asked to use this e-mail address for another Beckon account, but it already has one. An address belongs to one account only. Sign in to the one that it has here:",
    `${siteUrl}/sign-in`,
    "If this was not you, ignore this mail: your account has not changed.",
  ]);
}
