import { NOT_YOU, type Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account from which the authenticator app was removed. */
export function appRemoved(to: string, { siteUrl }: Notice): Mail {
  return message(to, "The authenticator app was removed from your Beckon account", [
    "The authenticator app was just removed from your Beckon account. Its codes are no longer asked for.",
    NOT_YOU,
    `${siteUrl}/forgot`,
  ]);
}
