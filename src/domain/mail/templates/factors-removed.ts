import type { Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail that all factors were removed. */
export function factorsRemoved(to: string, { siteUrl }: Notice): Mail {
  return message(to, "Your passkeys and codes were removed from Beckon", [
    "As requested seven days ago, we have removed all passkeys, the authenticator app and the recovery codes from your Beckon account. The password alone signs in now. Add a passkey or an app again here:",
    `${siteUrl}/dashboard/security`,
    "If this was not you, set a new password at once:",
    `${siteUrl}/forgot`,
  ]);
}
