import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail that a removal of all factors was requested, with the link that cancels it. */
export function removalRequested(to: string, { link, due }: { link: string; due: string }): Mail {
  return message(to, "Your passkeys and codes will be removed from Beckon", [
    `Somebody, we hope you, signed in to your Beckon account with its password, and told us that all passkeys, the authenticator app and the recovery codes are lost. We will remove them on ${due}. From then on, the password alone signs in.`,
    "If this was not you, cancel it here, and set a new password:",
    link,
    "Signing in with a passkey, a code or a recovery code cancels it too. We remind you every day.",
  ]);
}
