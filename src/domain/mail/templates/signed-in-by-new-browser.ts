import { formatTime } from "../../../platform/format.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account to which somebody signed in with a browser that is not known. */
export function signedInByNewBrowser(
  to: string,
  { browser, at, siteUrl }: { browser: string; at: number; siteUrl: string },
): Mail {
  return message(to, "New sign-in to your Beckon account", [
    `On ${formatTime(at)}, somebody signed in to your Beckon account with ${browser}. We do not know this browser, or it has not signed in since you last set your password.`,
    "If this was you, you need not do anything. If not, set a new password at once, which ends all sessions. When you do, you can also disconnect all apps and agents, and revoke all API keys:",
    `${siteUrl}/forgot`,
    "Your recent sign-ins, with their IP addresses, are listed here:",
    `${siteUrl}/dashboard/security`,
  ]);
}
