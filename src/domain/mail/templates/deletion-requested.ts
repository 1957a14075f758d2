import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail that the deletion of an account was requested. */
export function deletionRequested(to: string, { due, siteUrl }: { due: string; siteUrl: string }): Mail {
  return message(to, "Your Beckon account will be deleted", [
    `You asked us to delete your Beckon account. We will do so on ${due}. All API keys are revoked, all apps and agents are disconnected, what was not sent yet is cancelled, and watched sitemaps are no longer read.`,
    "If this was you, you need not do anything. If you want to keep the account, or this was not you, sign in before then and press the button there:",
    `${siteUrl}/sign-in`,
  ]);
}
