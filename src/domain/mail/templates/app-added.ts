import type { Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account to which an authenticator app was added. */
export function appAdded(to: string, { siteUrl }: Notice): Mail {
  return message(to, "An authenticator app was added to your Beckon account", [
    "An authenticator app was just added to your Beckon account. From now on, signing in with the password also asks for a code of that app, or for a passkey.",
    "If this was you, you need not do anything. If not, remove it at once, and set a new password:",
    `${siteUrl}/dashboard/security`,
  ]);
}
