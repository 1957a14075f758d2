import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the address that an account is to get, with the link that confirms it. */
export function confirmNewAddress(to: string, { link }: { link: string }): Mail {
  return message(to, "Confirm your new e-mail address for Beckon", [
    "Somebody, we hope you, asked to use this e-mail address for a Beckon account. To confirm it, open this link where you are signed in to that account:",
    link,
    "The link works once, and for 24 hours.",
    "If this was not you, ignore this mail: nothing changes unless the link is used.",
  ]);
}
