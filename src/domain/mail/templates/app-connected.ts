import { type AccessAdded, wordsOf } from "../layout/access.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account to which an app was connected. */
export function appConnected(to: string, { name, scopes, siteUrl }: AccessAdded): Mail {
  return message(to, "An app was connected to your Beckon account", [
    `An app was just connected to your Beckon account. It calls itself "${name}", which we have not verified. It may: ${wordsOf(scopes)}.`,
    "If this was you, you need not do anything. If not, disconnect it at once, and set a new password:",
    `${siteUrl}/dashboard/apps`,
  ]);
}
