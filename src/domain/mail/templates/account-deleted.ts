import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The last mail to the owner of an account. */
export function accountDeleted(to: string, { siteUrl }: { siteUrl: string }): Mail {
  return message(to, "Your Beckon account was deleted", [
    "As requested seven days ago, we have deleted your Beckon account, with its projects and everything that names you. Receipts and the record of credits stay, without your name and address, as bookkeeping law requires.",
    "You need not do anything. If you want to come back with this address:",
    `${siteUrl}/sign-up`,
  ]);
}
