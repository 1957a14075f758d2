import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail with a link to set a new password. */
export function resetLink(to: string, link: string): Mail {
  return message(to, "Set a new password for Beckon", [
    "Somebody, we hope you, asked to reset the password of the Beckon account with this e-mail address. Set a new password here:",
    link,
    "The link works once, and for 24 hours.",
    "If this was not you, ignore this mail: your password has not changed.",
  ]);
}
