import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account whose password somebody keeps guessing. */
export function signInFailing(to: string, siteUrl: string): Mail {
  return message(to, "Failed sign-ins to your Beckon account", [
    "In the last 24 hours, somebody tried more than 50 times to sign in to your Beckon account with a wrong password. These attempts failed. You can go on signing in with the browsers that you have used before; in others, after 100 wrong passwords, you need a link by mail.",
    "If your password is long and used nowhere else, you need not do anything. If not, set a new one:",
    `${siteUrl}/forgot`,
    "We send this mail at most once a day.",
  ]);
}
