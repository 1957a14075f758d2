import { formatTime } from "../../../platform/format.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the earlier address of an account, with the link that undoes the change. */
export function addressChanged(
  to: string,
  { email, link, expiresAt }: { email: string; link: string; expiresAt: number },
): Mail {
  return message(to, "The address of your Beckon account was changed", [
    `The e-mail address of your Beckon account was just changed to ${email}. Mail about the account goes there from now on.`,
    `If this was you, you need not do anything. If not, undo it. This brings this address back, signs out every browser, disconnects all apps and agents, revokes all API keys, and lets you choose a new password. It is possible until ${formatTime(expiresAt)}:`,
    link,
  ]);
}
