import { type PausedThing, pausedThings } from "../layout/paused-things.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account whose password was just set. @param paused what was paused with it */
export function passwordChanged(to: string, siteUrl: string, paused: readonly PausedThing[] = []): Mail {
  return message(to, "Your Beckon password was changed", [
    "The password of your Beckon account was just changed, and all other browsers were signed out.",
    "If this was you, you need not do anything. If not, set a new password at once. When you do, you can also disconnect all apps and agents, and revoke all API keys:",
    `${siteUrl}/forgot`,
    ...pausedThings(paused, siteUrl),
  ]);
}
