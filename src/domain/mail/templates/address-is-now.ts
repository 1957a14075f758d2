import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the new address of an account. */
export function addressIsNow(to: string, { previous, siteUrl }: { previous: string; siteUrl: string }): Mail {
  return message(to, "Your Beckon account has this address now", [
    `The e-mail address of your Beckon account was just changed from ${previous} to this one. Sign in with it from now on.`,
    "If this was you, you need not do anything. For seven days, a link in a mail to the earlier address can undo the change. Your account is here:",
    `${siteUrl}/dashboard`,
  ]);
}
