import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to somebody who was removed from an account. */
export function memberRemoved(to: string, { by, siteUrl }: { by: string; siteUrl: string }): Mail {
  return message(to, "You were removed from an account on Beckon", [
    `${by} has removed you from an account on Beckon. You no longer have access to it.`,
    "If you are a member of no other account, your sign-in is deleted as well.",
    `${siteUrl}/support`,
  ]);
}
