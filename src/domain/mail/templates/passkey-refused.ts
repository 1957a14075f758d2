import type { Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail about a passkey whose signature counter went back (WebAuthn level 3 section 6.1.1). */
export function passkeyRefused(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, "A passkey of your Beckon account was refused", [
    `Somebody just used the passkey "${name}" of your Beckon account, and we refused it: it counts how often it was used, and that count went back. A second device may hold a copy of it.`,
    "If you have restored that device from a backup, remove the passkey and add it again. If you do not know why this happened, remove it and use another one:",
    `${siteUrl}/dashboard/security`,
  ]);
}
