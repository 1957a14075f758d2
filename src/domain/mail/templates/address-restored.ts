import { type PausedThing, pausedThings } from "../layout/paused-things.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

interface Restored {
  readonly link: string;
  readonly paused: readonly PausedThing[];
  readonly siteUrl: string;
}

/** The mail to the address that an account has again, with the link to set a new password. */
export function addressRestored(to: string, { link, paused, siteUrl }: Restored): Mail {
  return message(to, "Your Beckon account has its old address again", [
    "The change of the e-mail address of your Beckon account was just undone. Every browser is signed out, all apps and agents are disconnected, and all API keys are revoked. The old password no longer signs in. If you have set a new one already, you need not do anything. If not, set it here:",
    link,
    "The link works once, and for 24 hours.",
    ...pausedThings(paused, siteUrl),
  ]);
}
