import type { Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The reminder that all factors will be removed. The link that cancels it is in the first mail only. */
export function removalReminder(to: string, { due, siteUrl }: Notice & { due: string }): Mail {
  return message(to, "Reminder: your passkeys and codes will be removed from Beckon", [
    `On ${due} we will remove all passkeys, the authenticator app and the recovery codes from your Beckon account, as somebody who knows its password requested.`,
    "If this was not you, cancel it: by the link in our first mail about it, or by signing in with a passkey, a code or a recovery code:",
    `${siteUrl}/sign-in`,
  ]);
}
