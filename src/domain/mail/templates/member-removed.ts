import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to somebody who was removed from an account. */
export function memberRemoved(to: string, { by, siteUrl }: { by: string; siteUrl: string }): Mail {
  return message(to, "You were removed from an account on Beckon", [
    `${by} has removed you from an account on Beckon. You have no access to it any more.`,
    "If you are a member of no other account, your sign-in is deleted, too.",
    `${siteUrl}/support`,
  ]);
}
