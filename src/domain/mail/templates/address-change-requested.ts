import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the address of an account that another one was requested for. */
export function addressChangeRequested(to: string, { email, siteUrl }: { email: string; siteUrl: string }): Mail {
  return message(to, "A new address was requested for your Beckon account", [
    `Somebody, we hope you, asked to change the e-mail address of your Beckon account to ${email}. It changes when a link that we have sent there is used.`,
    "If this was you, you need not do anything. If not, set a new password at once, which stops the change:",
    `${siteUrl}/forgot`,
  ]);
}
