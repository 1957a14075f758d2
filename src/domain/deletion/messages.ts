import type { Mail } from "../mail/mailer.ts";
import { message } from "../mail/templates/plain.ts";

/** The mail that the deletion of an account was requested. */
export function deletionRequested(to: string, { due, siteUrl }: { due: string; siteUrl: string }): Mail {
  return message(to, "Your Beckon account will be deleted", [
    `You asked us to delete your Beckon account. We will do so on ${due}. All API keys are revoked, all apps and agents are disconnected, what was not sent yet is cancelled, and watched sitemaps are not read any more.`,
    "If this was you, you need not do anything. If you want to keep the account, or this was not you, sign in before then and press the button there:",
    `${siteUrl}/sign-in`,
  ]);
}

/** The mail that an account is kept. */
export function deletionCancelled(to: string, { siteUrl }: { siteUrl: string }): Mail {
  return message(to, "Your Beckon account is kept", [
    "Your Beckon account will not be deleted. Keys, apps and agents that have ended stay so; you can create and connect new ones. Watches that you made yourself go on; those of keys, apps and agents stay paused until you make them active.",
    "If this was you, you need not do anything. If not, set a new password at once:",
    `${siteUrl}/forgot`,
  ]);
}

/** The last mail to the owner of an account. */
export function accountDeleted(to: string, { siteUrl }: { siteUrl: string }): Mail {
  return message(to, "Your Beckon account was deleted", [
    "As requested seven days ago, we have deleted your Beckon account, with its projects and everything that names you. Receipts and the record of credits stay, without your name and address, as the law of bookkeeping requires.",
    "You need not do anything. With this address, a new account can be opened:",
    `${siteUrl}/sign-up`,
  ]);
}
