import type { Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account to which a passkey was added. */
export function passkeyAdded(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, "A passkey was added to your Beckon account", [
    `The passkey "${name}" was just added to your Beckon account. Whoever holds it can sign in with it.`,
    "If this was you, you need not do anything. If not, remove it at once, and set a new password:",
    `${siteUrl}/dashboard/security`,
  ]);
}
