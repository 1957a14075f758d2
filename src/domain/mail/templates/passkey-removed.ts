import { NOT_YOU, type Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account from which a passkey was removed. */
export function passkeyRemoved(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, "A passkey was removed from your Beckon account", [
    `The passkey "${name}" was just removed from your Beckon account, and no longer signs in to it.`,
    NOT_YOU,
    `${siteUrl}/forgot`,
  ]);
}
