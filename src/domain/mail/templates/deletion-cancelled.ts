import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail that an account is kept. */
export function deletionCancelled(to: string, { siteUrl }: { siteUrl: string }): Mail {
  return message(to, "Your Beckon account is kept", [
    "Your Beckon account will not be deleted. Keys, apps and agents that have ended stay that way; you can create and connect new ones. Watches that you made yourself continue; watches made by keys, apps and agents stay paused until you make them active.",
    "If this was you, you need not do anything. If not, set a new password at once:",
    `${siteUrl}/forgot`,
  ]);
}
